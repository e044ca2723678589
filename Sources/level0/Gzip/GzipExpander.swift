internal import CZlib

/// Decompresses gzip (RFC 1952) of one or more members, up to a size limit.
public enum GzipExpander {
    /// The approximate memory use in bytes, besides the text.
    public static let heldBytes = 64 << 10
    private static let roomBytes = 16 << 10

    /// Why decompression failed.
    public enum Fault: Error, Equatable {
        /// The bytes aren't gzip, end too early, or don't match their checksum.
        case damaged
        /// The text is longer than the limit.
        case tooLarge
        /// There isn't enough memory.
        case noRoom
    }

    /// Decompresses a text. Blocks while it does, some milliseconds for a megabyte of text.
    /// - Parameters:
    ///   - limit: the maximum size of the text in bytes.
    ///   - grow: called before the text grows to a size; returns false if there is no room.
    public static func expand(
        _ gzip: [UInt8], limit: Int, grow: (_ bytes: Int) -> Bool
    ) throws(Fault) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: roomBytes)
        defer {
            unsafe inflateEnd(stream)
            unsafe stream.deallocate()
            unsafe room.deallocate()
        }
        guard unsafe zumod_inflate_begin(stream) == Z_OK else { throw .noRoom }
        var text: [UInt8] = []
        var fault: Fault?
        unsafe gzip.withUnsafeBufferPointer { gzip in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: gzip.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(clamping: gzip.count)
            while fault == nil {
                unsafe stream.pointee.next_out = room.baseAddress
                unsafe stream.pointee.avail_out = UInt32(roomBytes)
                let result = unsafe inflate(stream, Z_NO_FLUSH)
                let made = unsafe roomBytes - Int(stream.pointee.avail_out)
                if text.count + made > limit { fault = .tooLarge }
                if fault == nil, made > 0, !grow(text.count + made) { fault = .noRoom }
                if fault == nil { unsafe text.append(contentsOf: room[..<made]) }
                switch result {
                case Z_OK: continue
                case Z_STREAM_END where unsafe stream.pointee.avail_in == 0: return
                case Z_STREAM_END: unsafe inflateReset(stream)
                case Z_MEM_ERROR: fault = fault ?? .noRoom
                default: fault = fault ?? .damaged
                }
            }
        }
        if let fault { throw fault }
        return text
    }
}
