public import HTTPModel

/// A request to another server.
public struct CurlRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The whole address, percent-encoded.
    public var url: String
    /// Header fields in their order. Names are tokens, and values one line each: the caller has seen to that.
    public var fields: [CurlField]
    /// What is sent after the head; nil if there is nothing to send, not even a length of 0.
    public var body: String?

    /// Makes a request.
    public init(_ method: HTTPMethod, _ url: String, fields: [CurlField] = [], body: String? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// One field of a head.
public struct CurlField: Sendable, Equatable {
    /// The name, as it was written.
    public let name: String
    /// The value.
    public let value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What another server answered.
public struct CurlResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The words after the status code; empty if the head was not requested.
    public let reason: String
    /// The fields of the head in their order; none if the head was not requested.
    public let fields: [CurlField]
    /// The body, unpacked.
    public let body: [UInt8]

    /// Makes an answer.
    public init(status: Int, reason: String = "", fields: [CurlField] = [], body: [UInt8] = []) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.body = body
    }
}

/// Why a request came to no answer.
public enum CurlFault: Error, Equatable {
    /// The machine has no program curl.
    case notInstalled
    /// What curl says about it.
    case noAnswer(String)
    /// The answer is longer than is allowed.
    case tooLong
}
