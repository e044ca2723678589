import HTTPModel
import ZumoProtocol

/// The fields that every response has.
struct CommonResponseFields: Sendable {
    /// The fields of answers that set none of these themselves, in one piece.
    private let usual: HTTPFields
    private let version: HTTPFields
    private let variance: String

    /// - Parameter variance: the request fields that every answer depends on, for caches.
    init(varying variance: String) {
        self.variance = variance
        var fields = HTTPFields()
        fields.append("x-zumo-server-version", Release.name)
        version = fields
        // Browsers must not take a row or an error for a page.
        fields.append("X-Content-Type-Options", "nosniff")
        fields.append("Vary", variance)
        usual = fields
    }

    func sign(_ response: inout HTTPResponse, id: String) {
        let hasOwn = response.fields.contains("X-Content-Type-Options") || response.fields.contains("Vary")
        response.fields.append("X-Request-Id", id)
        // RFC 9110 section 15.5.2. Never Basic: browsers would ask the user for a name and a password.
        if response.status == .unauthorized, !response.fields.contains("WWW-Authenticate") {
            response.fields.append("WWW-Authenticate", "Bearer")
        }
        if hasOwn { signOwn(&response) } else { response.fields.append(contentsOf: usual) }
        if response.status.rawValue >= 400, !response.fields.contains("Cache-Control") {
            response.fields.append("Cache-Control", ErrorBody.cacheControl)
        }
    }

    /// The same for an answer with values of its own, which stay. Caches get one line, as some read only the first.
    private func signOwn(_ response: inout HTTPResponse) {
        response.fields.append(contentsOf: version)
        if !response.fields.contains("X-Content-Type-Options") {
            response.fields.append("X-Content-Type-Options", "nosniff")
        }
        let own = response.fields.values("Vary")
        response.fields.removeAll("Vary")
        response.fields.append("Vary", own.contains("*") ? "*" : (own + [variance]).joined(separator: ", "))
    }
}
