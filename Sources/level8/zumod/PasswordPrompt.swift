import Foundation
import Operating
import Platform

/// Reads a password from standard input: twice and without echo at a terminal, otherwise from the first line.
enum PasswordPrompt {
    /// Reads a password.
    static func read() throws(CommandFault) -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try text(of: line()) }
        let first = try unseenLine("Password: ")
        guard try unseenLine("Again: ").utf8.elementsEqual(first.utf8) else {
            throw .usage("the two passwords were not the same")
        }
        return first
    }

    private static func unseenLine(_ prompt: String) throws(CommandFault) -> String {
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
        return try text(of: line())
    }

    private static func text(of bytes: [UInt8]) throws(CommandFault) -> String {
        guard !bytes.isEmpty else { throw .usage("there is no password on standard input") }
        // The marks of UTF-8 and UTF-16.
        for mark: [UInt8] in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] where bytes.starts(with: mark) {
            throw .usage("the password begins with a byte order mark: save its file as UTF-8 without one")
        }
        // The bytes may be Latin-1: at a login in UTF-8 they would be a different password.
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("the password is not in UTF-8; apps and browsers send it so, and nobody could log in with it")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .usage("the password has a control character in it, which nobody types at a login")
        }
        return text
    }

    /// Reads the bytes up to the end of the line, unchanged: Swift's `readLine` would replace invalid ones.
    private static func line() -> [UInt8] {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        // Longer passwords don't exist; the rest is not read.
        while bytes.count < 65_536, unsafe Foundation.read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes
    }
}
