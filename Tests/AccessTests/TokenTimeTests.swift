import Testing
import TokenTesting

@testable import Access

@Suite("Times of tokens")
struct TokenTimeTests {
    struct Moment: Sendable {
        let claims: String
        let now: Int64
        let fault: TokenFault?
    }

    @Test(arguments: [
        // 60 seconds of skew: good until one second before exp + 60, and from nbf - 60 on.
        Moment(claims: #""exp":1000"#, now: 999, fault: nil),
        Moment(claims: #""exp":1000"#, now: 1000, fault: nil),
        Moment(claims: #""exp":1000"#, now: 1059, fault: nil),
        Moment(claims: #""exp":1000"#, now: 1060, fault: .expired),
        Moment(claims: #""exp":1000.5"#, now: 1060, fault: nil),
        Moment(claims: #""exp":1000.5"#, now: 1061, fault: .expired),
        Moment(claims: #""nbf":1000"#, now: 939, fault: .notYetValid),
        Moment(claims: #""nbf":1000"#, now: 940, fault: nil),
        Moment(claims: #""nbf":1000,"exp":1000"#, now: 1000, fault: nil),
        Moment(claims: #""nbf":1000,"exp":900"#, now: 959, fault: nil),
        Moment(claims: #""nbf":1100,"exp":900"#, now: 1000, fault: .expired),
        Moment(claims: #""exp":9223372036854775807"#, now: 1000, fault: nil),
        Moment(claims: #""exp":9223372036854775807"#, now: .max, fault: .expired),
        Moment(claims: #""exp":-9223372036854775808"#, now: 1000, fault: .expired),
        Moment(claims: #""exp":1e308,"nbf":-1e308"#, now: 0, fault: nil),
        Moment(claims: #""a":1"#, now: .max, fault: nil),
    ])
    func `a token is good from its start to its expiry, with a minute on both sides`(moment: Moment) throws {
        let payload = #"{"sub":"sid:1","iss":"urn:issuer","aud":"urn:audience",\#(moment.claims)}"#
        let token = try TokenForge.token(TokenForge.goodHeader, payload)
        let verifier = try TokenForge.verifier()
        #expect(fault { () throws(TokenFault) in try verifier.verify(token, now: moment.now) } == moment.fault)
    }

    @Test(arguments: [
        Moment(claims: #""exp":1000"#, now: 1299, fault: nil),
        Moment(claims: #""exp":1000"#, now: 1300, fault: .expired),
        Moment(claims: #""exp":1000.25"#, now: 1300, fault: nil),
        Moment(claims: #""exp":2000,"nbf":1000"#, now: 700, fault: nil),
        Moment(claims: #""exp":2000,"nbf":1000"#, now: 699, fault: .notYetValid),
        Moment(claims: #""nbf":1000"#, now: 1000, fault: .missingExpiry),
    ])
    func `a v1 token has five minutes on both sides, and has to expire`(moment: Moment) throws {
        let payload = TokenForge.goodMobileServicesPayload.replacing(#""exp":4000000000"#, with: moment.claims)
        let token = try TokenForge.mobileServicesToken(#"{"alg":"HS256","kid":"0"}"#, payload)
        let verifier = try TokenForge.verifier()
        #expect(fault { () throws(TokenFault) in try verifier.verify(token, now: moment.now) } == moment.fault)
    }

    private func fault(_ body: () throws(TokenFault) -> Principal.User) -> TokenFault? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }
}
