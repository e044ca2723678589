import ByteText
import HTTPModel
import Synchronization

/// The id that connects a response with its log line: the client's own if that is acceptable.
package final class RequestIDs: Sendable {
    private let prefix: [UInt8]
    private let counter = Atomic<UInt64>(0)

    /// The maximum length of a client's id.
    static let maximumLength = 64

    /// - Parameter run: distinguishes the ids of different runs; within a run a counter suffices.
    package init(run: UInt32 = .random(in: .min ... .max)) {
        prefix = Array("\(run.hexText)-".utf8)
    }

    /// Returns the id of a request.
    func id(of request: HTTPRequest) -> String {
        if let given = request.fields["X-Request-Id"], Self.isSane(given) { return given }
        return next()
    }

    /// Returns an id that no other request of this server has.
    func next() -> String {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let digitCount = max(1, (UInt64.bitWidth - number.leadingZeroBitCount + 3) / 4)
        let length = prefix.count + digitCount
        return unsafe String(unsafeUninitializedCapacity: length) { text in
            for index in prefix.indices { unsafe text[index] = prefix[index] }
            for place in 0..<digitCount {
                unsafe text[length - 1 - place] = HexDigit.lowerCase(
                    UInt8(truncatingIfNeeded: number >> (4 * UInt64(place))) & 15)
            }
            return length
        }
    }

    /// Visible ASCII only: the id goes into a header field and into the log.
    static func isSane(_ id: String) -> Bool {
        (1...maximumLength).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
