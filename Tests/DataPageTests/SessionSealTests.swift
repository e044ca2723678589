import ByteText
import Testing

@testable import DataPage

/// What earlier versions left in browsers.
@Suite("Sessions that older versions sealed")
struct SessionSealTests {
    private let seal: SessionSeal

    init() throws {
        let secret = "74ca4ce8d35d4a0efaac606336f3fedb8cad1880ce1cef3eab107684f7295c47"
        seal = SessionSeal(secret: try #require([UInt8](hexText: secret)))
    }

    @Test func `a cookie of a master key opens`() throws {
        let bytes = try #require(
            seal.open(
                """
                gpsuzqvaBDZ4LCukE3zhUFOdmIikYZahc6sahJMvwxFv78rUfxIbObcEOVYL0GKSVJiIUg0JBx4CMDK6L1sjoMZCO2bm_GpU_A82\
                OTwvATKN9Bep4gpWCfVKwIzvCo3j86PZN86qV28FYmD3DR8kMRvJAQidPF3YZAWn-qWjBrAIuqqauqUVjWRFTv-PAaWjS_xRsJKQ\
                Yzd3TfKD1GwQeKniGLJl7kWcCbmvu3s
                """))
        let session = try #require(PageSession(bytes: bytes))
        guard case .key("a33c84e4ce5528b8bed88526681d042c") = session.proof else {
            Issue.record("it is of \(session.proof)")
            return
        }
        #expect(session.token == "7fbc8d41-1a6f-4dcc-9b84-81b48ff3ed07")
        #expect(session.beganAt == 1_795_577_824_881 && session.renewedAt == session.beganAt && !session.isSecure)
        #expect(session.bytes == bytes)
    }

    @Test func `a cookie of a token opens`() throws {
        let bytes = try #require(
            seal.open(
                """
                TCpIzw7_lT97BJpaiA5nFnGkVPjFLB9aXggDxDhAQcBzv31jkuOC4VGPIrz12UcDDTm1i7bNTpbq-vVHU5J6uzHSCEHbQCNASktJ\
                7wMoVQtTYSrOP8Vk5pP-hUQQPBydQCk_YVp6YXHTULIro1rfsJjLG2BmDhDAxh3bFJvYDau95xhTyPxEP1X6wk7MfVxCmXaCSs4_\
                Ey3mJYE52h_0RfGAYIpUob89o_clzEscgnHkgVnv2UrOLk7GaJtQLjnQi2NCp2ZpDfh0sKw6RH74qKnU4UPMFGz670qIaM5qySYj\
                9tuwLudBJ-IEjWi82vzhrNngrLzt_td1AnJjWMvbMj8OnoAn17nYY3iNn5RF8E9QEoRo2dnSheupk9VPb5F5JzHorFcBWrK-FZMI\
                vk7fGFrBejLNWdVDHbE-vr0MyB6GIaV7H20202hdaJ1XHaF_JNrYCSjZXxVx683LSHSJoLxbvNZjrQuj6OFqKrp3-bPH43RyMh9S\
                TPnUohuAnbmepXv2Ruk6j_-RHK89UiB0umtZ_CqvV15lX8TO9whk4Y4E6RUNf-Bljl4CxvdneJZz18OZWCZT_C0jo1cvd677uGSP\
                uXEa34V0SQktWdilybjP2x-IGKMITZCUqA7yelpxARgsmqPuyy_UDhOOHB7qxRwAXB1tOoJJOC5ybSQG
                """))
        let session = try #require(PageSession(bytes: bytes))
        guard case .token(let token) = session.proof else {
            Issue.record("it is of \(session.proof)")
            return
        }
        #expect(token.hasSuffix(".7a4-dIJDqMTHgqsAekD5y1eDDQxInNV8hXaZb30f2lU"))
        #expect(session.token == "1be77ac8-9720-4e94-bf42-03b66d5456a8")
        #expect(session.bytes == bytes)
    }

    @Test func `the cookie's name and the master key's mark are the same`() {
        #expect(seal.mark(of: "cookie") == "365e1690a02fc2c39946569fc620e1ff")
        #expect(
            seal.mark(of: "1ca0b83f381e27c0496528ef752d30c7eb2f7508575247ed3e3433d5fefe5990")
                == "a33c84e4ce5528b8bed88526681d042c")
    }

    @Test func `what is sealed now opens, by this database's secret alone`() {
        let sealed = seal.seal([1, 2, 3])
        #expect(seal.open(sealed) == [1, 2, 3])
        #expect(seal.open(String(sealed.dropLast()) + (sealed.hasSuffix("A") ? "B" : "A")) == nil)
        #expect(SessionSeal(secret: [UInt8](repeating: 1, count: 32)).open(sealed) == nil)
    }
}
