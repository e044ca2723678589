public import HTTPModel

extension HTTPResponse {
    /// Confines a document made by a script, a handler or a hook to its own origin, unless its author has chosen
    /// another sandbox: otherwise, parts of a request that it echoes could act as the data page, which shares its
    /// address. Its scripts, forms and windows work as before; it can't access the address's cookies and storage.
    public mutating func confineDocument() {
        if body.length == 0 { return }
        let types = fields.values("Content-Type")
        guard types.isEmpty || types.contains(where: Self.mayRun) else { return }
        let isConfined = fields.values("Content-Security-Policy").contains { policy in
            policy.lowercased().split(separator: ";").contains { directive in
                directive.split(whereSeparator: { $0 == " " || $0 == "\t" }).first == "sandbox"
            }
        }
        if !isConfined { fields.append("Content-Security-Policy", Self.sandbox) }
    }

    private static let sandbox =
        "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads "
        + "allow-top-navigation-by-user-activation"

    /// Returns whether a browser may treat a body of this media type as a document with scripts: missing types are
    /// sniffed.
    private static func mayRun(_ mediaType: String) -> Bool {
        // The most common answers: inspecting them would cost more than writing them.
        if mediaType == "application/json; charset=utf-8" || mediaType == "application/json" { return false }
        let folded = mediaType.lowercased()
        let essence = folded.prefix { $0 != ";" && $0 != " " }
        let isGuessed = essence.split(separator: "/").count != 2
        let names = ["html", "xml", "svg", "xsl", "mixed-replace", "*/*", "unknown"]
        return isGuessed || names.contains { folded.contains($0) }
    }
}
