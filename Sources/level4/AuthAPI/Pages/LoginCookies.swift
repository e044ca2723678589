import ByteText
import HTTPModel

/// The cookies that bind logins to the browser that began them: one for each login, so that two tabs don't interfere.
struct LoginCookies {
    let request: HTTPRequest
    /// Whether the browser reached the server by HTTPS.
    let isSecure: Bool

    private static let name = "zumod-login-"
    /// No browser needs more logins at once, and they would fill the head of requests.
    private static let most = 10

    /// Browsers accept cookies with this prefix only from this very host and only over HTTPS (RFC 6265bis section
    /// 4.1.3.2).
    private var prefix: String { (isSecure ? "__Host-" : "") + Self.name }

    func contain(_ flow: LoginFlow) -> Bool {
        sent.contains { $0.isExactly("\(name(of: flow))=\(flow.nonce)") }
    }

    /// Binds a login to the browser, and removes the oldest of its other logins.
    /// - Parameter isFromAbroad: whether the response arrives by a form of another site, the provider's. Browsers send
    ///   a cookie with it only if the cookie says so, and then require a secure connection.
    func set(_ flow: LoginFlow, isFromAbroad: Bool, on response: inout HTTPResponse) {
        let site = isFromAbroad && isSecure ? "None" : "Lax"
        let rest = "Path=/; HttpOnly; SameSite=\(site)\(isSecure ? "; Secure" : "")"
        response.fields.append(
            "Set-Cookie", "\(name(of: flow))=\(flow.nonce); Max-Age=\(LoginFlow.patience); \(rest)")
        // The oldest come first.
        let others = sent.filter { $0.hasPrefix(prefix) }
        for cookie in others.dropLast(Self.most - 1) {
            response.fields.append("Set-Cookie", "\(cookie.prefix { $0 != "=" })=; Max-Age=0; \(rest)")
        }
    }

    private func name(of flow: LoginFlow) -> String { prefix + flow.nonce.prefix(8) }

    private var sent: [String] {
        request.fields.values("Cookie").flatMap { $0.split(separator: ";") }.map { $0.filter { $0 != " " } }
    }
}
