/// Which origins of web pages may use the server: one line of the configured list.
public struct OriginPattern: Sendable, Hashable {
    private enum Form: Hashable {
        /// `null`, the origin of pages from files and in sandboxes.
        case opaque
        /// `file://`, as Electron and older web views name pages from files.
        case file
        /// A host by what comes before and after its wildcard.
        case host(prefix: String, suffix: String?, scheme: String?, port: Int?)
    }

    private let form: Form

    /// The schemes of pages if a pattern only names a host: web pages, and those of Windows 8 apps.
    private static let webSchemes: [String?] = ["http", "https", "ms-appx-web"]

    /// Parses a host with at most one `*` for any part and an optional port; an origin such as
    /// `https://app.example.com`; `null`; or `file://`.
    /// - Returns: nil if it is none of these.
    public init?(_ text: String) {
        if text.lowercased() == "null" {
            form = .opaque
            return
        }
        if Self.isFile(text) {
            form = .file
            return
        }
        guard let origin = WebOrigin(text) else { return nil }
        let parts = origin.host.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2 else { return nil }
        // A text with a scheme is an origin, in which a missing port means the scheme's own.
        form = .host(
            prefix: parts[0], suffix: parts.count == 2 ? parts[1] : nil, scheme: origin.scheme,
            port: origin.effectivePort)
    }

    /// Returns whether one of the patterns matches a page's origin, as the browser sends it.
    public static func any(of patterns: [OriginPattern], match origin: String) -> Bool {
        if origin == "null" { return patterns.contains { $0.form == .opaque } }
        if isFile(origin) { return patterns.contains { $0.form == .file } }
        guard let page = WebOrigin(origin), page.scheme != nil, !page.host.contains("*") else { return false }
        return patterns.contains { $0.matches(page) }
    }

    /// Returns whether a page of that origin may receive a secret: one loaded unencrypted over the network may come
    /// from anyone, so a pattern has to name `http` explicitly.
    static func any(of patterns: [OriginPattern], mayTell origin: String) -> Bool {
        guard let page = WebOrigin(origin), page.scheme == "http", !page.isLoopback else {
            return any(of: patterns, match: origin)
        }
        return any(of: patterns.filter(\.namesScheme), match: origin)
    }

    /// Returns whether an origin has no host; some end with a slash.
    private static func isFile(_ origin: String) -> Bool { ["file://", "file:///"].contains(origin.lowercased()) }

    private var namesScheme: Bool {
        if case .host(_, _, let scheme, _) = form { scheme != nil } else { false }
    }

    private func matches(_ page: WebOrigin) -> Bool {
        guard case .host(let prefix, let suffix, let scheme, let port) = form else { return false }
        if let scheme {
            guard page.scheme == scheme, page.effectivePort == port else { return false }
        } else {
            guard Self.webSchemes.contains(page.scheme), port == nil || page.effectivePort == port else { return false }
        }
        guard let suffix else { return page.host == prefix }
        return page.host.utf8.count >= prefix.utf8.count + suffix.utf8.count && page.host.hasPrefix(prefix)
            && page.host.hasSuffix(suffix)
    }
}
