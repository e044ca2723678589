import ByteText
import HTTPModel

/// An address to which a browser is sent after a login, parsed as browsers and client libraries do, so that their
/// different spellings compare equal (RFC 3986 section 6.2, RFC 8252 section 7.3).
struct RedirectURL {
    /// In lower case.
    let scheme: String
    /// In lower case; nil if the scheme is followed by a single slash, as in `com.example.app:/callback`.
    let host: String?
    /// Empty for the scheme's default port.
    let port: String
    /// Everything after the port, with the slash that some omit if nothing follows it.
    let rest: String
    /// Whether the text ends after host and port.
    private let endsWithHost: Bool

    /// - Returns: nil if the text isn't a URL, or if programs disagree on how to read it.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, Self.isLetter(first),
            scheme.utf8.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
        else { return nil }
        let isWeb = Self.isWeb(scheme)
        let after = text[text.index(after: colon)...]
        guard after.hasPrefix("//") else {
            guard !isWeb, after.hasPrefix("/") else { return nil }
            (host, port, endsWithHost) = (nil, "", false)
            rest = Self.unreserved(after)
            return
        }
        let end = after.dropFirst(2).firstIndex { "/?#".contains($0) } ?? after.endIndex
        let authority = after[..<end].dropFirst(2).lowercased()
        guard let (host, port) = Self.hostAndPort(authority), !isWeb || !host.isEmpty else { return nil }
        self.host = host
        let isDefault = scheme == "http" && port == "80" || scheme == "https" && port == "443"
        self.port = isDefault ? "" : port
        endsWithHost = end == after.endIndex
        rest = (after[end...].first == "/" ? "" : "/") + Self.unreserved(after[end...])
    }

    /// Whether the address is one that another allows.
    /// - Parameter beginning: whether the other is only a prefix.
    func isAt(_ allowed: RedirectURL, beginning: Bool) -> Bool {
        guard scheme == allowed.scheme, hasSamePort(as: allowed) else { return false }
        guard beginning else { return host == allowed.host && rest == allowed.rest }
        guard staysInside else { return false }
        // `myapp://*` means all addresses of the app's own scheme.
        if allowed.endsWithHost, !Self.isWeb(scheme), let host, let beginning = allowed.host {
            return host.hasPrefix(beginning)
        }
        return host == allowed.host && rest.hasPrefix(allowed.rest)
    }

    private static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    /// Whether the ports match. Desktop apps listen on any port that the system gives them.
    private func hasSamePort(as allowed: RedirectURL) -> Bool {
        if port == allowed.port { return true }
        guard scheme == "http" else { return false }
        return switch host {
        case "127.0.0.1", "[::1]": true
        case "localhost": allowed.port.isEmpty
        default: false
        }
    }

    /// Whether the path has no `.` or `..`, which browsers resolve.
    private var staysInside: Bool {
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        return !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// - Returns: nil if there is a user name, which people take for the host, or if the port is invalid.
    private static func hostAndPort(_ authority: String) -> (String, String)? {
        guard !authority.contains("@") else { return nil }
        let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[bracket...].firstIndex(of: ":") else { return (authority, "") }
        let port = authority[authority.index(after: colon)...]
        guard port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return (String(authority[..<colon]), String(port))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    /// Decodes letters, digits and `-._~`, which need no encoding though some write them as `%7E`.
    private static func unreserved(_ text: Substring) -> String {
        guard text.contains("%") else { return String(text) }
        var result: [UInt8] = []
        var bytes = text.utf8[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%"), let high = bytes.first.flatMap(HexDigit.value),
                let low = bytes.dropFirst().first.flatMap(HexDigit.value)
            else {
                result.append(byte)
                continue
            }
            bytes = bytes.dropFirst(2)
            let code = high << 4 | low
            if code < 128 {
                PercentEncoding.encode(String(UnicodeScalar(code)), into: &result)
            } else {
                result += [byte, HexDigit.upperCase(high), HexDigit.upperCase(low)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
