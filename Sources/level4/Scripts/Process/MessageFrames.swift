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

    /// A message behind four bytes that take its length.
    static func closed(_ frame: consuming [UInt8]) -> [UInt8] {
        writeLength(of: &frame)
        return frame
    }

    /// Adds a number to a message as its last member.
    static func add(_ name: String, _ number: Int, to frame: inout [UInt8]) {
        frame.removeLast()
        frame.append(contentsOf: ",\"\(name)\":\(number)}".utf8)
        writeLength(of: &frame)
    }

    private static func writeLength(of frame: inout [UInt8]) {
        let length = UInt32(frame.count - 4)
        for place in 0..<4 { frame[place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(place))) }
    }

    /// Writes as many bytes to a socket as it takes at once.
    static func writeAtOnce(_ bytes: [UInt8], to descriptor: Int32) -> Int {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        return max(0, count)
    }
}

/// Reads messages as they come, those that come together by one call of the system.
struct MessageReader {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    /// Where the next message begins in them.
    private var start = 0
    private var chunk = [UInt8](repeating: 0, count: 64 << 10)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for the next message.
    /// - Returns: nil where the other side is gone, or its next message has an impossible length; null for one that is
    ///   no JSON, behind which others may follow.
    /// - Parameter begun: is called once a message has begun to arrive.
    mutating func next(_ begun: () -> Void) -> JSONValue? {
        guard hasMore(4) else { return nil }
        begun()
        let length = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard length <= MessageFrames.maximumLength, hasMore(4 + length) else { return nil }
        let text = Array(bytes[(start + 4)..<(start + 4 + length)])
        start += 4 + length
        return (try? JSONReader.parse(text, loneSurrogates: .replaced)) ?? .null
    }

    /// Reads until there are so many bytes. What is only promised takes no memory.
    private mutating func hasMore(_ count: Int) -> Bool {
        while bytes.count - start < count {
            bytes.removeFirst(start)
            start = 0
            if bytes.isEmpty, bytes.capacity > 1 << 20 { bytes = [] }
            let taken = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe Platform.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if taken < 0, errno == EINTR { continue }
            guard taken > 0 else { return false }
            bytes.append(contentsOf: chunk[..<taken])
        }
        return true
    }
}
