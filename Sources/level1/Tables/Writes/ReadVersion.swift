extension Version {
    /// Reads a version from an entity tag that may have been rewritten on its way to a client and back.
    ///
    /// Proxies that compress responses, or undo that, mark the tag: `W/"v"` (nginx, HAProxy, Varnish), `"v-gzip"`
    /// (Apache, Caddy), `"v;gz;;;"` (LiteSpeed). SDKs take the field for the version itself, and quote it again:
    /// `"W/\"v\""`. A version has twelve characters of an alphabet without any of these marks, so removing them can't
    /// turn one version into another.
    /// - Returns: nil if no version remains.
    public init?(rewritten text: some StringProtocol) {
        // The marks may be nested, and the text is a client's: anything longer than any of them is not a tag.
        guard text.utf8.count <= Self.longestMarked else { return nil }
        var rest = Array(text.utf8)[...]
        var length = 0
        repeat {
            length = rest.count
            rest.dropBlanks()
            rest.dropWeakness()
            rest.dropCodings()
            rest.dropQuotes()
        } while rest.count < length
        self.init(wireText: String(decoding: rest, as: UTF8.self))
    }

    private static let longestMarked = 256
}

extension Precondition {
    /// Requires the version in a text, in any form that ``Version/init(rewritten:)`` reads.
    public init(versionIn text: some StringProtocol) {
        self = (Version(wireText: text) ?? Version(rewritten: text)).map(Precondition.version) ?? .unmatchable
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func dropBlanks() {
        while first == 0x20 || first == 0x09 { removeFirst() }
        while last == 0x20 || last == 0x09 { removeLast() }
    }

    fileprivate mutating func dropWeakness() {
        if starts(with: "W/".utf8) || starts(with: "w/".utf8) { removeFirst(2) }
    }

    /// Removes the pair of quotes around it, with any backslashes that escape them.
    fileprivate mutating func dropQuotes() {
        let quote = UInt8(ascii: "\"")
        let inner = drop { $0 == UInt8(ascii: "\\") }
        guard inner.first == quote, inner.last == quote, inner.count > 1 else { return }
        self = inner.dropFirst().dropLast()
        while last == UInt8(ascii: "\\") { removeLast() }
    }

    /// Removes the names of codings at its end, each after `-` or `;`.
    fileprivate mutating func dropCodings() {
        let isMark: (UInt8) -> Bool = { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ";") }
        while let index = lastIndex(where: isMark) {
            let name = self[(index + 1)...]
            guard name.isEmpty || Self.codings.contains(where: name.elementsEqual) else { return }
            self = self[..<index]
        }
    }

    private static let codings = ["gzip", "gz", "br", "zstd", "deflate"].map { Array($0.utf8) }
}
