import Access
import HTTPModel
import JSONText

/// Passes the outcome of a login from the browser to the app.
struct LoginHandoff {
    let flow: LoginFlow
    /// The address of the page on which web views end, without a fragment.
    let lastPage: String
    let codes: ExchangeCodes

    func response(_ user: LoginResult, _ settings: LoginSettings, now: Int64) throws(LoginFault) -> HTTPResponse {
        switch flow.completion {
        case .lastPage: .redirect(to: "\(lastPage)#token=\(Self.encoded(try user.session(settings, now: now)))")
        case .redirect(let url): .redirect(to: "\(url)#token=\(Self.encoded(try user.session(settings, now: now)))")
        case .code(let url, let challenge):
            .redirect(to: "\(url)#authorization_code=\(codes.make(for: user, challenge: challenge, now: now))")
        case .message(let recipient, let origin):
            LoginPages.message(
                .session(try user.session(settings, now: now).json), to: recipient, origin: origin)
        }
    }

    /// Tells the app that the login failed, in the way the libraries expect: at once, because the user knows already.
    func failure(_ words: String) -> HTTPResponse {
        guard case .message(let recipient, let origin) = flow.completion else {
            return .redirect(to: address(ofFailure: words) ?? lastPage)
        }
        return LoginPages.message(.failure(words), to: recipient, origin: origin)
    }

    /// Returns the address that tells the app of a failure; nil if it waits for a message.
    func address(ofFailure words: String) -> String? {
        switch flow.completion {
        case .lastPage: "\(lastPage)#error=\(PercentEncoding.encoded(words))"
        case .redirect(let url), .code(let url, _): "\(url)#error=\(PercentEncoding.encoded(words))"
        case .message: nil
        }
    }

    private static func encoded(_ session: Session) -> String {
        PercentEncoding.encoded(String(decoding: session.json, as: UTF8.self))
    }
}

extension PercentEncoding {
    /// Percent-encodes a text as part of an address.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        encode(text, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a query with these members, whose names need no encoding.
    static func query(_ members: [(String, String)]) -> String {
        members.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
    }
}

extension HTTPResponse {
    /// Redirects a browser, which uses GET.
    static func redirect(to url: String) -> HTTPResponse {
        var response = HTTPResponse(.found)
        response.fields.append("Location", url)
        response.fields.append("Cache-Control", "no-store")
        return response
    }
}
