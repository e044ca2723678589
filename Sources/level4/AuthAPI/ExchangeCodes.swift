import Access
import JSONText
import Scalars
import Tables

/// The codes that apps exchange for a token (RFC 6749 section 4.1.2 and RFC 7636): each once, and within five minutes.
///
/// A code is sealed, so that any server with the same configuration accepts it; that it was used is recorded in the
/// database. It contains no token: whoever intercepts it can't use it without the verifier, and what the provider said
/// is hidden in it.
struct ExchangeCodes: Sendable {
    private let seal: TextSeal
    private let secret: SecretSeal
    private let users: any UserStore

    /// Seconds for which a code is good.
    static let lifetime: Int64 = 300

    init(key: SigningKey, older: [SigningKey], users: any UserStore) {
        self.users = users
        seal = TextSeal(key: key, older: older, purpose: "exchange code")
        secret = SecretSeal(key: key, older: older, purpose: "exchange code")
    }

    func make(for user: LoginResult, challenge: String, now: Int64) -> String {
        var json = JSONWriter()
        json.raw("[")
        json.integer(now + Self.lifetime)
        json.raw(",")
        json.integer(user.at)
        for text in [challenge, user.userID, user.provider, Nonce.make(), secret.hide(Self.text(user.told))] {
            json.raw(",")
            json.string(text)
        }
        json.raw("]")
        return seal.seal(String(decoding: json.bytes, as: UTF8.self))
    }

    /// - Returns: what the code stands for; nil if it is forged, expired or used, or if the verifier doesn't match.
    func redeem(
        _ code: String, verifier: String, now: Int64, trusted: Instant?
    ) async throws(TableError) -> LoginResult? {
        // The libraries' verifiers are Base64 with a `+`, and not each app of an own kind encodes it.
        let verifier = verifier.replacing(" ", with: "+")
        guard (43...128).contains(verifier.utf8.count), let text = seal.open(code),
            case .array(let values)? = try? JSONReader.parse(Array(text.utf8)), values.count == 7,
            case .integer(let expiry) = values[0], now < expiry, case .integer(let at) = values[1],
            case .string(let challenge) = values[2], case .string(let userID) = values[3],
            case .string(let provider) = values[4], case .string(let nonce) = values[5],
            case .string(let hidden) = values[6], let told = secret.show(hidden).flatMap(Self.claims),
            challenge == CodeChallenge.text(of: verifier)
        else { return nil }
        // Other servers' clocks may be behind.
        let end = Instant(milliseconds: (expiry + Self.lifetime) * 1_000)
        guard try await users.takeCode(nonce, until: end, trusted: trusted) else { return nil }
        return LoginResult(userID: userID, provider: provider, at: at, told: told)
    }

    private static func text(_ claims: [String: String]) -> String {
        var json = JSONWriter()
        json.value(.object(claims.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func claims(_ text: String) -> [String: String]? {
        guard case .object(let members)? = try? JSONReader.parse(Array(text.utf8)) else { return nil }
        var claims: [String: String] = [:]
        for member in members {
            if case .string(let value) = member.value { claims[member.name] = value }
        }
        return claims
    }
}
