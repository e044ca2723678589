import Access
import ByteText
import HTTPModel
import JSONText

/// How a login should proceed, as requested by the page that began it. It is passed through the browser, sealed.
struct LoginFlow: Equatable {
    let provider: String
    let completion: Completion
    /// Binds the flow to the browser that began it.
    let nonce: String
    /// In seconds since 1970.
    let expiry: Int64

    /// How the app learns the outcome.
    enum Completion: Equatable {
        /// In the fragment of the last page's address, which a web view watches.
        case lastPage
        /// By a message to the page that opened this one, or that contains its frame.
        case message(Recipient, origin: String)
        /// In the fragment of an address of the app.
        case redirect(String)
        /// By a code sent there, which the app exchanges for the token with the verifier of this challenge (PKCE).
        case code(String, challenge: String)
    }

    enum Recipient: String {
        case opener = "postMessage"
        case frame = "iframe"
    }

    /// How long a user may take to log in, in seconds.
    static let patience: Int64 = 600

    /// Reads the query of a login page's address.
    init(_ query: [QueryMember], provider: String, settings: LoginSettings, now: Int64) throws(LoginFault) {
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        self.provider = provider
        nonce = Nonce.make()
        expiry = now + Self.patience
        if let url = value("post_login_redirect_url") ?? value("post_login_redirect_uri") {
            guard settings.allowsRedirect(to: url) else { throw .redirectRefused }
            let (text, method) = (value("code_challenge"), value("code_challenge_method"))
            if text != nil || method != nil {
                guard method == "S256", let challenge = text.flatMap({ CodeChallenge.canonical($0) })
                else { throw .challengeRefused }
                completion = .code(url, challenge: challenge)
            } else {
                completion = .redirect(url)
            }
        } else if let type = value("completion_type") {
            guard let recipient = Recipient(rawValue: type) else { throw .completionRefused }
            guard let origin = value("completion_origin"), settings.allowsOrigin(origin) else { throw .originRefused }
            completion = .message(recipient, origin: origin)
        } else {
            completion = .lastPage
        }
    }

    /// Opens a sealed flow.
    /// - Returns: nil unless this server sealed it for that provider. It may have expired.
    init?(_ sealed: String, by seal: TextSeal, provider: String) {
        guard let text = seal.open(sealed), case .array(let values)? = try? JSONReader.parse(Array(text.utf8)),
            values.count == 6, case .string(provider) = values[0], case .integer(let expiry) = values[1],
            case .string(let nonce) = values[2], case .string(let kind) = values[3],
            case .string(let first) = values[4], case .string(let second) = values[5]
        else { return nil }
        switch kind {
        case "lastPage": completion = .lastPage
        case "redirect": completion = .redirect(first)
        case "code": completion = .code(first, challenge: second)
        default:
            guard let recipient = Recipient(rawValue: kind) else { return nil }
            completion = .message(recipient, origin: first)
        }
        self.provider = provider
        self.expiry = expiry
        self.nonce = nonce
    }

    /// The query with which the same login starts again.
    var query: String {
        let members: [(String, String)] =
            switch completion {
            case .lastPage: []
            case .message(let recipient, let origin):
                [("completion_type", recipient.rawValue), ("completion_origin", origin)]
            case .redirect(let url): [("post_login_redirect_url", url)]
            case .code(let url, let challenge):
                [
                    ("post_login_redirect_url", url), ("code_challenge", challenge), ("code_challenge_method", "S256"),
                ]
            }
        return members.isEmpty ? "" : "?" + PercentEncoding.query(members)
    }

    /// Returns the flow as a sealed text that the user's browser carries.
    func sealed(by seal: TextSeal) -> String {
        let (kind, first, second) =
            switch completion {
            case .lastPage: ("lastPage", "", "")
            case .message(let recipient, let origin): (recipient.rawValue, origin, "")
            case .redirect(let url): ("redirect", url, "")
            case .code(let url, let challenge): ("code", url, challenge)
            }
        let members = [.string(provider), .integer(expiry)] + [nonce, kind, first, second].map(JSONValue.string)
        return seal.seal(JSONValue.array(members).jsonText)
    }
}

/// Random texts that can't be guessed.
enum Nonce {
    /// Returns 128 random bits in hexadecimal.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return [generator.next(), generator.next()].map { (word: UInt64) in word.hexText }.joined()
    }
}
