internal import HTTPModel

/// Encodes the heads of responses (RFC 9112 section 4) and the framing of chunks.
enum ResponseEncoder {
    /// What an answer says about the persistence of its connection.
    enum Persistence {
        /// HTTP/1.1 keeps the connection by default.
        case implied
        /// HTTP/1.0 needs an explicit field.
        case keepAlive
        case close
    }

    /// The interim answer to `Expect: 100-continue`.
    static let continueLine: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"

    /// Ends a line, and a chunk.
    static let lineEnd = Array("\r\n".utf8)

    /// Appends the head of a response.
    /// - Parameters:
    ///   - date: the Date field as a line with its line ending.
    static func encodeHead(
        _ response: HTTPResponse, framing: BodyFraming, persistence: Persistence, date: [UInt8],
        into output: inout [UInt8]
    ) {
        assert(!response.fields.contains("Content-Length"), "The server adds the framing fields itself.")
        // Not while answers queue up: exact growth for each would copy the queue each time.
        if output.isEmpty { output.reserveCapacity(512 + min(response.body.heldBytes, embeddedBytes)) }
        append("HTTP/1.1 ", to: &output)
        append(decimal: response.status.rawValue, to: &output)
        output.append(ByteClass.blank)
        output.append(contentsOf: response.status.reasonPhrase.utf8)
        append("\r\n", to: &output)
        output.append(contentsOf: date)
        response.fields.encode(into: &output)
        switch framing {
        case .length(let length):
            append("Content-Length: ", to: &output)
            append(decimal: length, to: &output)
            append("\r\n", to: &output)
        case .chunked: append("Transfer-Encoding: chunked\r\n", to: &output)
        case .absent, .untilClose: break
        }
        switch persistence {
        case .implied: break
        case .keepAlive: append("Connection: keep-alive\r\n", to: &output)
        case .close: append("Connection: close\r\n", to: &output)
        }
        append("\r\n", to: &output)
    }

    /// The largest body that is copied after its head. Larger ones are sent from where they are.
    static let embeddedBytes = 16 << 10

    /// Appends the line that starts a chunk (RFC 9112 section 7.1).
    static func appendChunkSize(_ size: Int, to output: inout [UInt8]) {
        output.append(contentsOf: String(size, radix: 16).utf8)
        append("\r\n", to: &output)
    }

    static func append(_ text: StaticString, to output: inout [UInt8]) {
        text.withUTF8Buffer { unsafe output.append(contentsOf: $0) }
    }

    private static func append(decimal value: Int, to output: inout [UInt8]) {
        var power = 1
        while power <= value / 10 { power *= 10 }
        while power > 0 {
            output.append(48 + UInt8(value / power % 10))
            power /= 10
        }
    }
}
