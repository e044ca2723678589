/// What a program is started with: its input, its output, and where it complains.
public enum StandardStreams {
    /// Opens those that are closed on nothing. Whatever is opened next would take their numbers: a socket, or a pipe, into
    /// which lines for people would go.
    public static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Writes a text to standard error as far as that takes it: nobody can be told of a failure to complain.
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
