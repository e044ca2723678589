/// A request target, split and percent-decoded once.
public struct RequestTarget: Sendable, Equatable {
    /// The path's segments. Empty segments are kept but for one at the end: a trailing slash is the same resource.
    public let segments: [String]
    /// The query's members in their order.
    public let query: [QueryMember]
    /// The path as it came, for links back to the same resource.
    public let rawPath: String

    /// Why a target can't be split and decoded.
    public enum Fault: Error, Sendable, Equatable {
        /// Neither a path nor an absolute URL.
        case notAPath
        /// A `%` that two hexadecimal digits don't follow.
        case percentEncoding
        /// The decoded bytes are not UTF-8, or hold a NUL.
        case encoding
    }

    /// Parses the origin form or the absolute form of a target.
    public init(_ target: [UInt8]) throws(Fault) {
        var bytes = target[...]
        if bytes.first != UInt8(ascii: "/") {
            // RFC 9112 section 3.2.2: a server has to accept the absolute form.
            guard let path = Self.pathOfAbsoluteForm(bytes) else { throw .notAPath }
            bytes = path
        }
        if let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) { bytes = bytes[..<fragment] }
        let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var path = bytes[..<question].dropFirst()
        rawPath = bytes.first == nil ? "/" : String(decoding: bytes[..<question], as: UTF8.self)
        if path.last == UInt8(ascii: "/") { path = path.dropLast() }

        var segments: [String] = []
        if !path.isEmpty {
            for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                segments.append(try PercentEncoding.decode(segment, plusIsBlank: false))
            }
        }
        self.segments = segments

        var query: [QueryMember] = []
        if question < bytes.endIndex {
            for member in bytes[(question + 1)...].split(separator: UInt8(ascii: "&")) {
                let equals = member.firstIndex(of: UInt8(ascii: "=")) ?? member.endIndex
                query.append(
                    QueryMember(
                        name: try PercentEncoding.decode(member[..<equals], plusIsBlank: true),
                        value: try PercentEncoding.decode(member[equals...].dropFirst(), plusIsBlank: true)))
            }
        }
        self.query = query
    }

    private static func pathOfAbsoluteForm(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let rest = bytes[(colon + 1)...]
        guard scheme == "http" || scheme == "https", rest.starts(with: "//".utf8) else { return nil }
        let afterAuthority = rest.dropFirst(2).firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        guard let afterAuthority else { return [UInt8(ascii: "/")] }
        if bytes[afterAuthority] == UInt8(ascii: "?") { return [UInt8(ascii: "/")] + bytes[afterAuthority...] }
        return bytes[afterAuthority...]
    }
}

/// A name and a value of a query, both decoded.
public struct QueryMember: Sendable, Equatable {
    /// The part before the first `=`.
    public let name: String
    /// The part after it; empty where there is none.
    public let value: String

    /// A member whose parts are decoded already.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
