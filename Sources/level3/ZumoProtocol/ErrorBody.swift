public import HTTPModel
import JSONText

/// How a failure looks to the clients of each generation.
public enum ErrorBody {
    /// The `Cache-Control` of a failure. Caches keep a 404 or 410 that says nothing of them (RFC 9110 section 15.1), and one
    /// user's is then every user's.
    public static let cacheControl = "no-cache, no-store"

    /// A response that says what is wrong: `{"error": …, "message": …, "code": …}` in v2 and v3, of which every client
    /// reads the first, users of the .NET server the second and programs the third; `{"code": …, "error": "Error: …"}`
    /// in v1, whose code is the status.
    public static func response(
        _ status: HTTPStatus, _ code: ErrorCode, _ text: String, in generation: Generation
    ) -> HTTPResponse {
        var body = JSONWriter(capacity: 2 * text.utf8.count + 32)
        switch generation.manners {
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

    /// The text alone, as a script of v1 answered it: without a code, which v1's clients take for the status.
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

    /// A client's own text as a message may repeat it: at most 80 scalars, as one character may be of any length.
    public static func excerpt(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: 80, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}

extension ErrorBody {
    /// The answer if no route has anything at the path.
    public static func unknownPath(in generation: Generation) -> HTTPResponse {
        let sentence =
            switch generation.manners {
            case .services: "Not Found"
            case .apps: "There is nothing at this path; rows are at /tables/NAME and /tables/NAME/ID."
            }
        return response(.notFound, .pathUnknown, sentence, in: generation)
    }
}
