import Operating
import Platform

/// Reads a regular file in pieces, byte by byte.
final class FileBytes {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private let path: String

    private static let pieceBytes = 262_144

    /// - Throws: `file` if it can't be read, or isn't a regular file: an import reads it twice.
    init(_ path: String) throws(CommandFault) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("\(path) can't be read: \(OutputFile.reason)") }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .file("\(path) is no regular file; an import reads its files twice")
        }
    }

    deinit {
        _ = close(descriptor)
    }

    /// Returns the next byte without consuming it; nil at the end.
    func peek() throws(CommandFault) -> UInt8? {
        if position == buffer.count { try fill() }
        return position < buffer.count ? buffer[position] : nil
    }

    /// Consumes the next byte; nil at the end.
    func next() throws(CommandFault) -> UInt8? {
        let byte = try peek()
        position += byte == nil ? 0 : 1
        return byte
    }

    /// Skips these bytes if they come next in the file.
    func skip(_ mark: [UInt8]) throws(CommandFault) {
        guard try peek() != nil, buffer[position...].starts(with: mark) else { return }
        position += mark.count
    }

    /// Whether what comes next is UTF-16, by its mark, or by the zero in a first character of ASCII.
    var isUTF16: Bool {
        get throws(CommandFault) {
            guard let first = try peek() else { return false }
            return first >= 0xFE || buffer[position...].prefix(2).contains(0)
        }
    }

    /// Returns the bytes up to a line feed, which is consumed too; nil at the end. If a line is longer than the limit,
    /// it returns slightly more than that, and leaves the rest.
    func line(limit: Int) throws(CommandFault) -> [UInt8]? {
        guard try peek() != nil else { return nil }
        var line: [UInt8] = []
        while try peek() != nil {
            let rest = buffer[position...]
            let end = rest.firstIndex(of: 10) ?? rest.endIndex
            line.append(contentsOf: rest[..<end])
            position = min(end + 1, buffer.count)
            if end < rest.endIndex { break }
            // A carriage return may still have to be removed.
            guard line.count <= limit + 1 else { return line }
        }
        if line.last == 13 { line.removeLast() }
        return line
    }

    private func fill() throws(CommandFault) {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        let count = unsafe read(descriptor, &piece, piece.count)
        guard count >= 0 else { throw .file("\(path) can't be read: \(OutputFile.reason)") }
        piece.removeLast(piece.count - count)
        buffer = piece
        position = 0
    }
}
