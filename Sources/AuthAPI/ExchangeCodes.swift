import Access
import JSONText
import Synchronization

/// The codes that apps exchange for a token (RFC 6749 section 4.1.2 and RFC 7636): each once, and within five minutes.
///
/// A code is sealed, so that any server of the same configuration takes it; that it was used is known to one server.
/// It holds no token: whoever sees it passing by has nothing without the verifier.
final class ExchangeCodes: Sendable {
    private let seal: TextSeal
    private let used = Mutex<[String: Int64]>([:])

    /// Seconds for which a code is good.
    static let lifetime: Int64 = 300

    init(key: SigningKey) {
        seal = TextSeal(key: key, purpose: "exchange code")
    }

    func make(for user: LoggedIn, challenge: String, now: Int64) -> String {
        var json = JSONWriter()
        json.raw("[")
        json.integer(now + Self.lifetime)
        for text in [challenge, user.userID, user.provider, Nonce.make()] {
            json.raw(",")
            json.string(text)
        }
        json.raw("]")
        return seal.seal(String(decoding: json.bytes, as: UTF8.self))
    }

    /// - Returns: what the code stands for; nil where it is forged, old, used, or the verifier another's.
    func redeem(_ code: String, verifier: String, now: Int64) -> LoggedIn? {
        guard (43...128).contains(verifier.utf8.count), let text = seal.open(code),
            case .array(let values)? = try? JSONReader.parse(Array(text.utf8)), values.count == 5,
            case .integer(let expiry) = values[0], now < expiry, case .string(let challenge) = values[1],
            case .string(let userID) = values[2], case .string(let provider) = values[3],
            case .string(let nonce) = values[4], challenge == CodeChallenge.text(of: verifier)
        else { return nil }
        let isFirst = used.withLock { used in
            used = used.filter { $0.value > now }
            return used.updateValue(expiry, forKey: nonce) == nil
        }
        return isFirst ? LoggedIn(userID: userID, provider: provider) : nil
    }
}
