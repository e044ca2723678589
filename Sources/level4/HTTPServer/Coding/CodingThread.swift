internal import Foundation
internal import Gzip
internal import HTTPModel
internal import Synchronization

/// Compresses and decompresses bodies that would block a loop's other connections, one at a time in each direction.
final class CodingThread: Sendable {
    /// The maximum backlog for compression, about a tenth of a second's work. Anything beyond is sent uncompressed.
    static let waitingBytes = 8 << 20

    private let compressing = DispatchQueue(label: "zumod gzip")
    /// A queue of its own, so that clients that send gzip don't wait for the compression of answers.
    private let expanding = DispatchQueue(label: "zumod gunzip")
    private let waiting = Atomic<Int>(0)

    /// Compresses a text with gzip.
    /// - Returns: nil if the backlog is too large or the system has no memory for it.
    func compress(_ text: [UInt8]) async -> [UInt8]? {
        let before = waiting.add(text.count, ordering: .relaxed).oldValue
        defer { waiting.subtract(text.count, ordering: .relaxed) }
        // The first one may be of any size.
        guard before == 0 || before + text.count <= Self.waitingBytes else { return nil }
        return await withCheckedContinuation { continuation in
            compressing.async { continuation.resume(returning: GzipCompressor()?.compress(text)) }
        }
    }

    /// Decompresses gzip.
    /// - Parameters:
    ///   - limit: the maximum size of the text in bytes.
    ///   - grow: called on the thread to ask for that many bytes before they are used.
    func expand(
        _ gzip: [UInt8], limit: Int, grow: @escaping @Sendable (Int) -> Bool
    ) async throws(GzipExpander.Fault) -> [UInt8] {
        let result = await withCheckedContinuation { continuation in
            expanding.async {
                continuation.resume(
                    returning: Result { () throws(GzipExpander.Fault) in
                        try GzipExpander.expand(gzip, limit: limit, grow: grow)
                    })
            }
        }
        return try result.get()
    }
}
