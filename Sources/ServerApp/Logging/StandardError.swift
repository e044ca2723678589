import Glibc

/// The process's standard error, where all logs go.
enum StandardError {
    /// Writes a line in one call, so that lines of several threads never mix.
    ///
    /// A log that can't be written is lost: there is nowhere left to tell.
    static func write(_ line: [UInt8]) {
        var start = 0
        while start < line.count {
            let written = unsafe line.withUnsafeBytes { bytes in
                unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            }
            if written > 0 {
                start += written
            } else if errno != EINTR {
                return
            }
        }
    }
}
