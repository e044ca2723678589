public import CurlClient
import HTTPModel

/// A request and its answer, for reports.
public struct CheckExchange: Sendable {
    /// The request line's method.
    public let method: String
    /// The whole address.
    public let url: String
    /// The request's fields, secrets blotted out.
    public let sentFields: [CurlField]
    /// The request's body; nil if there was none.
    public let sentBody: String?
    /// The answer; nil if there was none.
    public let answer: CurlResponse?
    /// Why nothing was answered.
    public let complaint: String?

    init(_ request: CurlRequest, answer: CurlResponse? = nil, complaint: String? = nil) {
        method = request.method.name
        url = request.url
        let secrets: Set = ["x-zumo-application", "x-zumo-master", "x-zumo-auth", "authorization"]
        sentFields = request.fields.map { secrets.contains($0.name.lowercased()) ? CurlField($0.name, "…") : $0 }
        sentBody = request.body
        self.answer = answer
        self.complaint = complaint
    }

    /// The answer's body as text; a long one is cut, and one that isn't text is described by its length.
    public var answeredText: String {
        let body = answer?.body ?? []
        guard String(validating: body, as: UTF8.self) != nil else { return "(\(body.count) bytes that are no text)" }
        let text = String(decoding: body.prefix(Self.longestBody), as: UTF8.self)
        return body.count > Self.longestBody ? "\(text)… (\(body.count) bytes)" : text
    }

    private static let longestBody = 4_000
}
