import HTTPModel
import JSONText

/// The header fields that keep browsers from using the page in unintended ways.
enum PageHeaders {
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    static func sign(_ response: inout HTTPResponse) {
        response.fields.append("Content-Security-Policy", policy)
        response.fields.append("Referrer-Policy", "no-referrer")
        response.fields.append("X-Content-Type-Options", "nosniff")
        response.fields.append("Cross-Origin-Opener-Policy", "same-origin")
        response.fields.append("Cross-Origin-Resource-Policy", "same-origin")
        if !response.fields.contains("Cache-Control") { response.fields.append("Cache-Control", "no-store") }
    }
}

extension HTTPResponse {
    /// A JSON response to the page's script.
    static func page(_ json: JSONValue, _ status: HTTPStatus = .ok) -> HTTPResponse {
        .json(json.jsonBytes, status)
    }
}
