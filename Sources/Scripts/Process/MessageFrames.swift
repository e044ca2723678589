import JSONText
import Platform

/// Messages over a socket: four bytes of length, the highest first, and JSON.
enum MessageFrames {
    /// The longest message, in bytes.
    static let maximumLength = 64 << 20

    /// Writes all bytes to a socket.
    /// - Returns: false where the other side is gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// A message with its length.
    static func frame(_ message: JSONValue) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.raw("\u{0}\u{0}\u{0}\u{0}")
        json.value(message)
        var bytes = json.bytes
        let length = UInt32(bytes.count - 4)
        for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(place))) }
        return bytes
    }

    /// Waits for the next message.
    /// - Returns: nil where the other side is gone, or its next message has an impossible length; null for one that is
    ///   no JSON, behind which others may follow.
    /// - Parameter begun: is called once a message has begun to arrive.
    static func read(from descriptor: Int32, _ begun: () -> Void) -> JSONValue? {
        guard let head = bytes(4, from: descriptor) else { return nil }
        begun()
        let length = head.reduce(0) { $0 << 8 | Int($1) }
        guard length <= maximumLength, let text = bytes(length, from: descriptor) else { return nil }
        return (try? JSONReader.parse(text, loneSurrogates: .replaced)) ?? .null
    }

    private static func bytes(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        // What is only promised takes no memory.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(count, 256 << 10))
        while bytes.count < count {
            let wanted = min(chunk.count, count - bytes.count)
            let taken = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe Platform.read(descriptor, buffer.baseAddress, wanted)
            }
            if taken < 0, errno == EINTR { continue }
            guard taken > 0 else { return nil }
            bytes.append(contentsOf: chunk[..<taken])
        }
        return bytes
    }
}
