import Foundation
import Platform

/// Reads a password from standard input: at a terminal twice and unseen, from a pipe its first line.
enum PasswordPrompt {
    /// - Returns: nil where there is none, or what was typed differs.
    static func read() -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        guard let first = unseenLine("Password: "), let second = unseenLine("Again: "), first == second else {
            return nil
        }
        return first
    }

    private static func unseenLine(_ prompt: String) -> String? {
        StandardStreams.complain(prompt)
        var shown = termios()
        unsafe tcgetattr(STDIN_FILENO, &shown)
        var unseen = shown
        unseen.c_lflag &= ~tcflag_t(ECHO)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen)
        defer {
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            StandardStreams.complain("\n")
        }
        return readLine()
    }
}
