/// What a program is started with: its input, its output, and its error output.
public enum StandardStreams {
    /// Opens closed ones on nothing. Otherwise whatever is opened next would take their numbers: a socket, or a pipe,
    /// which would then receive lines meant for people.
    public static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Writes a text to standard error as far as possible: a failure to complain can't be reported to anyone.
    public static func complain(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Writes a text to standard output.
    /// - Returns: whether it was taken whole.
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
    /// How many columns it has; nil where standard output is no terminal, or one that doesn't know.
    public static var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
