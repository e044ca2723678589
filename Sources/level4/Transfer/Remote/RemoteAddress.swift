import Foundation
import Operating

/// The address of another server, which may contain a name and a password: `https://user:password@old.example`.
struct RemoteAddress: Sendable {
    /// The address as it may be shown and stored: without name and password.
    let shown: String
    /// The address for requests.
    let sent: String
    private let secret: String?

    /// - Throws: `usage` if it is invalid; the message doesn't show what may be a password.
    init(_ server: String) throws(CommandFault) {
        let lowered = server.lowercased()
        guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://"),
            server.utf8.allSatisfy({ (33...126).contains($0) && $0 != 34 && $0 != 92 }), !server.contains("?")
        else { throw .usage("--from takes an address such as https://old.example, not `\(Self.redacted(server))`") }
        var base = Substring(server)
        while base.last == "/" { base.removeLast() }
        sent = String(base)
        let scheme = String(base.prefix { $0 != ":" }) + "://"
        let rest = base.dropFirst(scheme.count)
        guard let at = rest.lastIndex(of: "@") else {
            (shown, secret) = (sent, nil)
            return
        }
        let user = rest[..<at]
        guard !user.contains("/"), !user.contains("#") else {
            throw .usage(
                "--from has an @ behind a / or #: in a password these have to be written as %2F and %23, and in a path the @ as %40"
            )
        }
        secret = String(user)
        shown = scheme + String(rest[rest.index(after: at)...])
    }

    /// Removes the secret from a message of another program or server, which may repeat the address.
    func hidingSecrets(in words: String) -> String {
        guard let secret, !secret.isEmpty else { return words }
        var words = words.replacing("\(secret)@", with: "")
        let parts = secret.split(separator: ":", maxSplits: 1)
        if parts.count == 2 {
            for form in [String(parts[1]), parts[1].removingPercentEncoding ?? ""] where form.utf8.count >= 4 {
                words = words.replacing(form, with: "…")
            }
        }
        return words
    }

    private static func redacted(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return text }
        let rest = text[text.index(after: at)...]
        guard let scheme = text.firstRange(of: "://"), scheme.upperBound <= at else { return "…@\(rest)" }
        return "\(text[..<scheme.upperBound])…@\(rest)"
    }
}
