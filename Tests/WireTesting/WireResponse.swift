/// A response as it came over the wire.
public struct WireResponse: Sendable {
    /// Everything after `HTTP/1.1 `: the code and the reason phrase.
    public let status: String
    /// Header fields in their order.
    public let fields: [(name: String, value: String)]
    /// The body's bytes.
    public private(set) var body: [UInt8] = []

    init(head: String) throws(WireClient.Failure) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        let first = lines.removeFirst()
        guard first.hasPrefix("HTTP/1.1 ") else { throw .malformed(head) }
        status = String(first.dropFirst("HTTP/1.1 ".count))
        var fields: [(name: String, value: String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), line[colon...].hasPrefix(": ") else { throw .malformed(head) }
            fields.append((String(line[..<colon]), String(line[colon...].dropFirst(2))))
        }
        self.fields = fields
    }

    func with(body: [UInt8]) -> WireResponse {
        var response = self
        response.body = body
        return response
    }

    /// The status code.
    public var code: Int { Int(status.prefix(3)) ?? 0 }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first field of that name in any case.
    public subscript(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
