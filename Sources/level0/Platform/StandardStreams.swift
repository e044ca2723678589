/// The standard input, output and error streams of a program.
public enum StandardStreams {
    /// Opens closed streams on /dev/null. Otherwise the next socket or pipe to be opened would take their numbers, and
    /// receive lines meant for people.
    public static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Writes a text to standard error as far as possible: a failure to do so can't be reported to anyone.
    public static func complain(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Writes a text to standard output.
    /// - Returns: whether all of it was written.
    public static func answer(_ text: String) -> Bool {
        write(text, to: STDOUT_FILENO)
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        var begin = 0
        while begin < bytes.count {
            let count = unsafe bytes[begin...].withUnsafeBytes { bytes in
                unsafe Platform.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            begin += count
        }
        return true
    }
}

/// The terminal behind standard output.
public enum Terminal {
    /// The width in columns; nil if standard output is not a terminal, or the terminal's width is unknown.
    public static var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
