internal import Foundation
internal import Gzip
internal import HTTPModel
internal import Synchronization

/// Does to bodies what would keep a loop from its other connections, one at a time each way.
final class CodingThread: Sendable {
    /// So much may wait to be compressed, about a tenth of a second's work. What comes beyond is sent as it is.
    static let waitingBytes = 8 << 20

    private let compressing = DispatchQueue(label: "zumod gzip")
    /// Another one: who sends gzip waits for nobody's answers.
    private let expanding = DispatchQueue(label: "zumod gunzip")
    private let waiting = Atomic<Int>(0)

    /// The gzip of a text.
    /// - Returns: nil where too much waits, or the system has no memory for it.
    func compress(_ text: [UInt8]) async -> [UInt8]? {
        let before = waiting.add(text.count, ordering: .relaxed).oldValue
        defer { waiting.subtract(text.count, ordering: .relaxed) }
        // The first may be as large as it likes.
        guard before == 0 || before + text.count <= Self.waitingBytes else { return nil }
        return await withCheckedContinuation { continuation in
            compressing.async { continuation.resume(returning: GzipCompressor()?.compress(text)) }
        }
    }

    /// Decompresses gzip.
    /// - Parameters:
    ///   - limit: the maximum number of bytes of the text.
    ///   - grow: asked, on the thread, before that many bytes are taken.
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
