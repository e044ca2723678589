import ByteText

/// A request target, split and percent-decoded once.
public struct RequestTarget: Sendable, Equatable {
    /// The path's segments. Empty segments are kept, except the last: a trailing slash makes no difference.
    public let segments: [String]
    /// The query's members in order.
    public let query: [QueryMember]
    /// The path as received, for links back to the same resource.
    public let rawPath: String

    /// Why a target can't be parsed.
    public enum Fault: Error, Sendable, Equatable {
        /// It is neither a path nor an absolute URL.
        case notAPath
        /// A `%` isn't followed by two hexadecimal digits.
        case percentEncoding
        /// The decoded bytes aren't UTF-8.
        case encoding
        /// A NUL in a place where names, ids and parameters can't have one. It is allowed in query options.
        case nul
    }

    /// The target `/`.
    public static let root = RequestTarget(segments: [], query: [], rawPath: "/")

    private init(segments: [String], query: [QueryMember], rawPath: String) {
        self.segments = segments
        self.query = query
        self.rawPath = rawPath
    }

    /// Returns the same path with another query.
    public func with(query: [QueryMember]) -> RequestTarget {
        RequestTarget(segments: segments, query: query, rawPath: rawPath)
    }

    /// Parses the origin form or the absolute form of a target.
    public init(_ target: [UInt8]) throws(Fault) {
        if target.first == UInt8(ascii: "/") {
            try self.init(originForm: target.span)
        } else {
            // RFC 9112 section 3.2.2: servers must accept the absolute form.
            guard let path = Self.pathOfAbsoluteForm(target[...]) else { throw .notAPath }
            try self.init(originForm: path.span)
        }
    }

    private init(originForm target: Span<UInt8>) throws(Fault) {
        let end = Self.first(UInt8(ascii: "#"), in: target, from: 0, to: target.count)
        let question = Self.first(UInt8(ascii: "?"), in: target, from: 0, to: end)
        rawPath = unsafe target.extracting(0..<question).withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        segments = try Self.segments(of: target, to: question)
        query = try Self.members(of: target, from: question + 1, to: end)
    }

    private static func segments(of target: Span<UInt8>, to end: Int) throws(Fault) -> [String] {
        let end = end > 1 && target[end - 1] == UInt8(ascii: "/") ? end - 1 : end
        var segments: [String] = []
        var start = 1
        while start <= end, end > 1 {
            let slash = first(UInt8(ascii: "/"), in: target, from: start, to: end)
            segments.append(try PercentEncoding.decode(target.extracting(start..<slash), plusIsBlank: false))
            start = slash + 1
        }
        return segments
    }

    private static func members(of target: Span<UInt8>, from: Int, to end: Int) throws(Fault) -> [QueryMember] {
        var members: [QueryMember] = []
        var start = from
        while start < end {
            let ampersand = first(UInt8(ascii: "&"), in: target, from: start, to: end)
            if ampersand > start {
                let equals = first(UInt8(ascii: "="), in: target, from: start, to: ampersand)
                let value = min(equals + 1, ampersand)
                let name = try PercentEncoding.decode(target.extracting(start..<equals), plusIsBlank: true)
                members.append(
                    QueryMember(
                        name: name,
                        value: try PercentEncoding.decode(
                            target.extracting(value..<ampersand), plusIsBlank: true, takesNUL: isOption(name))))
            }
            start = ampersand + 1
        }
        return members
    }

    /// Returns whether a member's value is in the query language, where `id eq '%00'` is legitimate. v3 accepts options
    /// without the `$`.
    private static func isOption(_ name: String) -> Bool {
        name.first == "$" || name.utf8.count == 6 && name.lowercased() == "filter"
    }

    /// - Returns: `end` if the byte doesn't occur.
    private static func first(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, bytes[index] != byte { index += 1 }
        return index
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

/// A name and a value in a query, both decoded.
public struct QueryMember: Sendable, Equatable {
    /// The part before the first `=`.
    public let name: String
    /// The part after it; empty if there is none.
    public let value: String

    /// Creates a member from decoded parts.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Compares byte by byte.
    public static func == (left: QueryMember, right: QueryMember) -> Bool {
        left.name.isExactly(right.name) && left.value.isExactly(right.value)
    }
}
