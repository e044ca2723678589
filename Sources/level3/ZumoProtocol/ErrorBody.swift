public import HTTPModel
import JSONText

/// The form of failures for the clients of each generation.
public enum ErrorBody {
    /// The `Cache-Control` of a failure. Without one, caches may keep a 404 or 410 (RFC 9110 section 15.1), and serve
    /// one user's to every other.
    public static let cacheControl = "no-cache, no-store"

    /// Returns a response that describes a failure: `{"error": …, "message": …, "code": …}` in v2 and v3, for every
    /// client, users of the .NET server and programs respectively; `{"code": …, "error": "Error: …"}` in v1, whose code
    /// is the status.
    public static func response(
        _ status: HTTPStatus, _ code: ErrorCode, _ text: String, in generation: Generation
    ) -> HTTPResponse {
        var body = JSONWriter(capacity: 2 * text.utf8.count + 32)
        switch generation.family {
        case .services:
            body.raw("{\"code\":")
            body.integer(Int64(status.rawValue))
            body.raw(",\"error\":")
            body.string("Error: " + text)
        case .apps:
            append(text, to: &body)
            body.raw(",\"code\":")
            body.string(code.rawValue)
        }
        return failure(status, text, &body)
    }

    /// Returns the text alone, as a script of v1 answered it: without a code, which v1's clients take for the status.
    static func verbatim(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        var body = JSONWriter(capacity: 2 * text.utf8.count + 32)
        append(text, to: &body)
        return failure(status, text, &body)
    }

    private static func append(_ text: String, to body: inout JSONWriter) {
        body.raw("{\"error\":")
        body.string(text)
        body.raw(",\"message\":")
        body.string(text)
    }

    private static func failure(_ status: HTTPStatus, _ text: String, _ body: inout JSONWriter) -> HTTPResponse {
        body.raw("}")
        var response = HTTPResponse.json(body.bytes, status)
        response.reason = text
        return response
    }

    /// Returns a client's own text for use in a message: at most 80 scalars, as one character may be of any length.
    public static func excerpt(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: 80, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}

extension ErrorBody {
    /// Returns the answer for a path that no route serves.
    public static func unknownPath(in generation: Generation) -> HTTPResponse {
        let sentence =
            switch generation.family {
            case .services: "Not Found"
            case .apps: "There is nothing at this path; rows are at /tables/NAME and /tables/NAME/ID."
            }
        return response(.notFound, .pathUnknown, sentence, in: generation)
    }
}
