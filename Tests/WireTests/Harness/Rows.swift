import JSONText
import Testing
import WireTesting

/// A row as a client reads it.
typealias Row = [String: JSONValue]

extension WireResponse {
    /// The body as JSON.
    var json: JSONValue {
        get throws { try JSONReader.parse(body) }
    }

    /// The rows of a list, bare or wrapped.
    var rows: [Row] {
        get throws {
            switch try json {
            case .array(let elements): return elements.map(\.row)
            case let wrapped:
                guard case .array(let elements)? = wrapped.row["results"] else { return [] }
                return elements.map(\.row)
            }
        }
    }

    /// The body as one row.
    var row: Row {
        get throws { try json.row }
    }

    /// The address of the next page.
    var nextPath: String? {
        guard let link = self["Link"], link.hasSuffix("; rel=next"), let start = link.firstRange(of: "/tables/") else {
            return nil
        }
        return String(link[start.lowerBound...].dropLast("; rel=next".count))
    }
}

extension JSONValue {
    /// The members of an object; of two with one name the last counts.
    var row: Row {
        guard case .object(let members) = self else { return [:] }
        return Row(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The text of a string, the digits of a whole number.
    var text: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .null, .boolean, .number, .precise, .array, .object: nil
        }
    }
}

extension WireClient {
    /// Sends a request whose target may hold blanks and letters of every script, and reads the answer.
    func exchange(
        _ method: String, _ target: String, _ body: String = "", _ fields: [String] = []
    ) throws(WireClient.Failure) -> WireResponse {
        try send(Self.request(method, target, body, fields))
        return try response(hasBody: method != "HEAD")
    }

    /// The bytes of a request.
    static func request(_ method: String, _ target: String, _ body: String = "", _ fields: [String] = []) -> String {
        var encoded = ""
        for byte in target.utf8 {
            switch byte {
            case 33...126: encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        var lines = ["\(method) \(encoded) HTTP/1.1", "Host: localhost"] + fields
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }
}
