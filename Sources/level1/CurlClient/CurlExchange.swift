public import HTTPModel

/// A request to another server.
public struct CurlRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The complete URL, percent-encoded.
    public var url: String
    /// Header fields in order. The caller ensures that names are tokens, and values single lines.
    public var fields: [CurlField]
    /// The body; nil to send none, not even a length of 0.
    public var body: String?

    /// Creates a request.
    public init(_ method: HTTPMethod, _ url: String, fields: [CurlField] = [], body: String? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// One header field.
public struct CurlField: Sendable, Equatable {
    /// The name as written.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The answer of another server.
public struct CurlResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The reason phrase; empty if the head was not requested.
    public let reason: String
    /// The header fields in order; empty if the head was not requested.
    public let fields: [CurlField]
    /// The body, decompressed.
    public let body: [UInt8]

    /// Creates an answer.
    public init(status: Int, reason: String = "", fields: [CurlField] = [], body: [UInt8] = []) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.body = body
    }
}

/// Why a request got no answer.
public enum CurlFault: Error, Equatable {
    /// curl isn't installed.
    case notInstalled
    /// curl failed, with its message.
    case noAnswer(String)
    /// The answer exceeds the maximum size.
    case tooLong
}
