import Access
import JSONText
import Scalars
import Tables

/// The codes that apps exchange for a token (RFC 6749 section 4.1.2 and RFC 7636), each only once and within five
/// minutes.
///
/// A code is sealed, so that any server with the same configuration accepts it; the database records that it was used.
/// It contains no token: an interceptor can't use it without the verifier, and can't read what the provider said.
struct ExchangeCodes: Sendable {
    private let seal: TextSeal
    private let secret: SecretSeal
    private let users: any UserStore

    /// How long a code is valid, in seconds.
    static let lifetime: Int64 = 300

    init(key: SigningKey, older: [SigningKey], users: any UserStore) {
        self.users = users
        seal = TextSeal(key: key, older: older, purpose: "exchange code")
        secret = SecretSeal(key: key, older: older, purpose: "exchange code")
    }

    func make(for user: LoginResult, challenge: String, now: Int64) -> String {
        let told = user.told.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
        let texts = [
            challenge, user.userID, user.provider, Nonce.make(), secret.hide(JSONValue.object(told).jsonText),
        ]
        let code = [.integer(now + Self.lifetime), .integer(user.at)] + texts.map(JSONValue.string)
        return seal.seal(JSONValue.array(code).jsonText)
    }

    /// - Returns: the login that the code stands for; nil if it is forged, expired or used, or the verifier is wrong.
    func redeem(
        _ code: String, verifier: String, now: Int64, trusted: Instant?
    ) async throws(TableError) -> LoginResult? {
        // The libraries' verifiers are Base64 with `+`, which not every app percent-encodes.
        let verifier = verifier.replacing(" ", with: "+")
        guard (43...128).contains(verifier.utf8.count), let text = seal.open(code),
            case .array(let values)? = try? JSONReader.parse(Array(text.utf8)), values.count == 7,
            case .integer(let expiry) = values[0], now < expiry, case .integer(let at) = values[1],
            case .string(let challenge) = values[2], case .string(let userID) = values[3],
            case .string(let provider) = values[4], case .string(let nonce) = values[5],
            case .string(let hidden) = values[6],
            let told = secret.show(hidden).flatMap({ JSONValue.texts(of: Array($0.utf8)) }),
            challenge == CodeChallenge.text(of: verifier)
        else { return nil }
        // Recorded for longer, as other servers' clocks may be behind.
        let end = Instant(milliseconds: (expiry + Self.lifetime) * 1_000)
        guard try await users.takeCode(nonce, until: end, trusted: trusted) else { return nil }
        return LoginResult(userID: userID, provider: provider, at: at, told: told)
    }
}
