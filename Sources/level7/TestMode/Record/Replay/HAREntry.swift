import ByteText
import HTTPModel
import JSONText

/// One request of an HTTP archive, with the recorded answer.
struct HAREntry {
    let method: HTTPMethod
    /// The path and query of the address; nil if the address isn't one of an HTTP server.
    let target: String?
    /// The fields that don't concern the connection.
    let fields: [(name: HTTPFieldName, value: String)]
    /// The request's body; nil if the archive doesn't have all of it.
    let body: [UInt8]?
    /// The answer; nil if there was none.
    let answer: HARResponse?

    init(_ entry: HARPlace) throws(RecordFault) {
        let request = try entry.member("request")
        let method = try request.member("method")
        guard let name = HTTPFieldName(try method.text()) else { throw method.fault("is no method") }
        self.method = HTTPMethod(name.text)
        let url = try request.member("url")
        target = try Self.target(of: url)
        fields = try HARFields.read(request)
        body = try Self.body(of: request)
        answer = try HARResponse(entry.member("response"))
    }

    private static func target(of url: HARPlace) throws(RecordFault) -> String? {
        let text = try url.text()
        var bytes = Array(text.utf8)[...]
        if bytes.first != UInt8(ascii: "/") {
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
                throw url.fault("is neither an absolute URL nor a path")
            }
            let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
            let rest = bytes[(colon + 1)...]
            guard scheme == "http" || scheme == "https", rest.starts(with: "//".utf8) else { return nil }
            bytes = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != 35 }
        }
        bytes = bytes.prefix { $0 != UInt8(ascii: "#") }
        var target: [UInt8] = bytes.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        for byte in bytes {
            // Some tools write addresses unescaped.
            if byte > 32, byte != 127 {
                target.append(byte)
            } else {
                target += [UInt8(ascii: "%"), HexDigit.upperCase(byte >> 4), HexDigit.upperCase(byte & 15)]
            }
        }
        return String(decoding: target, as: UTF8.self)
    }

    private static func body(of request: HARPlace) throws(RecordFault) -> [UInt8]? {
        guard let data = try request.optional("postData") else { return [] }
        if data.flag("_cut") { return nil }
        if let text = try data.optional("text") {
            let isForm = data.value["params"]?.elements?.isEmpty == false && text.value == .string("")
            if !isForm { return try HARResponse.bytes(of: text, in: data) }
        }
        guard let params = try data.optional("params") else { return [] }
        var body: [UInt8] = []
        for param in try params.elements() {
            if !body.isEmpty { body.append(UInt8(ascii: "&")) }
            PercentEncoding.encode(try param.member("name").text(), into: &body)
            body.append(UInt8(ascii: "="))
            if let value = try param.optional("value") { PercentEncoding.encode(try value.text(), into: &body) }
        }
        return body
    }
}

/// An answer in an HTTP archive.
struct HARResponse {
    let status: Int
    let fields: [(name: HTTPFieldName, value: String)]
    /// The answer's body; nil if the archive doesn't have all of it.
    let body: [UInt8]?
    private let mimeType: String?

    /// The media type, from wherever it is given.
    var contentType: String? { self["Content-Type"] ?? mimeType }

    /// - Returns: nil if there was no answer, which an archive shows by status 0.
    init?(_ response: HARPlace) throws(RecordFault) {
        let status = try response.member("status")
        guard let code = status.value.integerValue, (0...999).contains(code) else { throw status.fault("is no status") }
        if code == 0 { return nil }
        self.status = Int(code)
        fields = try HARFields.read(response)
        guard let content = try response.optional("content") else {
            (body, mimeType) = (nil, nil)
            return
        }
        let type = content.value["mimeType"]?.textValue ?? ""
        mimeType = type.isEmpty || type == "x-unknown" ? nil : type
        if content.flag("_cut") || content.flag("_streamed") {
            body = nil
        } else if let text = try content.optional("text") {
            body = try Self.bytes(of: text, in: content)
        } else {
            // Browsers leave out bodies that they did not keep.
            body = (content.value["size"]?.numberValue ?? 0) == 0 ? [] : nil
        }
    }

    subscript(_ name: String) -> String? {
        fields.first { $0.name.text.lowercased() == name.lowercased() }?.value
    }

    /// The bytes of a text, which may be Base64.
    static func bytes(of text: HARPlace, in holder: HARPlace) throws(RecordFault) -> [UInt8] {
        let encoding = (holder.value["encoding"] ?? holder.value["_encoding"])?.textValue ?? ""
        guard encoding.lowercased() == "base64" else { return Array(try text.text().utf8) }
        let digits = try text.text().utf8.filter { $0 > 32 }
        guard let bytes = Base64.decode(digits, .standard) else { throw text.fault("is no Base64") }
        return bytes
    }
}

/// The header fields of a request or an answer in an archive.
enum HARFields {
    /// Fields that concern the connection, and those about an encoding that the archive has undone.
    private static let dropped: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "te", "trailer",
        "upgrade", "expect", "accept-encoding", "content-encoding", "http2-settings", "date", "x-request-id",
    ]

    static func read(_ message: HARPlace) throws(RecordFault) -> [(name: HTTPFieldName, value: String)] {
        guard let headers = try message.optional("headers") else { return [] }
        var fields: [(name: HTTPFieldName, value: String)] = []
        for header in try headers.elements() {
            let place = try header.member("name")
            let text = try place.text()
            // HTTP/2 sends method and path as fields, which the archive has elsewhere.
            if text.hasPrefix(":") || dropped.contains(text.lowercased()) { continue }
            guard let name = HTTPFieldName(text) else { throw place.fault("is no name of a field") }
            fields.append((name, try header.member("value").text()))
        }
        return fields
    }
}
