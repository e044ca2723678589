/// The terminal behind standard output.
public enum Terminal {
    /// How many columns it has; nil where standard output is no terminal, or one that doesn't know.
    public static var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
