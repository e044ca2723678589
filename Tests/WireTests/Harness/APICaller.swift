import Access
import Foundation
import Testing

/// What a caller of an API shows of itself, and the keys that it is checked by.
struct APICaller: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fields: [String]
    /// What tells the generation, behind the path.
    var query = ""
    /// The levels that let the caller in; nil where its token is refused everywhere.
    let levels: Set<AccessLevel>?
    /// Whether its token is refused for its age.
    var isExpired = false

    /// The levels by generation: v1's clients have to show the application key, or something better, where the others
    /// need none.
    func levels(inServices: Bool) -> Set<AccessLevel>? {
        guard levels?.contains(.authenticated) == false else { return levels }
        return inServices && fields != ["X-ZUMO-APPLICATION: app"] ? [.anonymous] : [.anonymous, .application]
    }

    /// For the configuration file.
    static let keys = "auth: { signingKey: \(secret), applicationKey: app, masterKey: master }"
    private static let secret = "5fb1d1f1a3c3b0aa5fb1d1f1a3c3b0aa5fb1d1f1a3c3b0aa5fb1d1f1a3c3b0aa"

    static func all() throws -> [APICaller] {
        let open: Set<AccessLevel> = [.anonymous, .application]
        let user = open.union([.authenticated])
        let admin = user.union([.admin])
        return [
            APICaller(testDescription: "nothing", fields: [], levels: open),
            APICaller(
                testDescription: "nothing, v1", fields: [], query: "?__systemProperties=*", levels: [.anonymous]),
            APICaller(
                testDescription: "a wrong application key", fields: ["X-ZUMO-APPLICATION: x"], levels: [.anonymous]),
            APICaller(testDescription: "the application key", fields: ["X-ZUMO-APPLICATION: app"], levels: open),
            APICaller(testDescription: "a token", fields: ["X-ZUMO-AUTH: \(try token("sid:1"))"], levels: user),
            APICaller(
                testDescription: "a bearer token", fields: ["Authorization: Bearer \(try token("sid:2"))"], levels: user
            ),
            APICaller(
                testDescription: "an admin's token", fields: ["X-ZUMO-AUTH: \(try token("sid:3", role: "admin"))"],
                levels: admin),
            APICaller(testDescription: "the master key", fields: ["X-ZUMO-MASTER: master"], levels: admin),
            APICaller(testDescription: "a wrong master key", fields: ["X-ZUMO-MASTER: x"], levels: open),
            APICaller(
                testDescription: "an expired token", fields: ["X-ZUMO-AUTH: \(try token("sid:1", age: 7_200))"],
                levels: nil, isExpired: true),
            APICaller(
                testDescription: "a token of another key",
                fields: ["X-ZUMO-AUTH: \(try token("sid:1", key: "another key that nobody knows"))"], levels: nil),
            APICaller(testDescription: "a token that is none", fields: ["X-ZUMO-AUTH: nonsense"], levels: nil),
            APICaller(
                testDescription: "the master key and a bad token",
                fields: ["X-ZUMO-MASTER: master", "X-ZUMO-AUTH: nonsense"], levels: nil),
        ]
    }

    /// - Parameter age: seconds since it was made, to live for an hour.
    static func token(_ user: String, role: String? = nil, age: Int64 = 0, key: String = secret) throws -> String {
        let name = "urn:microsoft:windows-azure:zumo"
        let minter = TokenMinter(key: try SigningKey(key), issuer: name, audience: name)
        return try minter.mint(
            user: user, claims: role.map { ["role": $0] } ?? [:], lifetime: .seconds(3_600),
            now: Int64(Date().timeIntervalSince1970) - age)
    }
}
