public import HTTPModel

extension HTTPResponse {
    /// Gives a document made by a script, a handler or a hook an origin of its own, unless its author has chosen
    /// another sandbox: otherwise, what such a document repeats of a request could act as the data page, which is at
    /// the same address. Its scripts, forms and windows work as before; it has no access to the cookies and storage of
    /// the address.
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

    /// Whether a browser may take a body of this media type for a document with scripts: what it isn't told, it
    /// guesses.
    private static func mayRun(_ mediaType: String) -> Bool {
        // Most answers: searching them costs more than writing them.
        if mediaType == "application/json; charset=utf-8" || mediaType == "application/json" { return false }
        let folded = mediaType.lowercased()
        let essence = folded.prefix { $0 != ";" && $0 != " " }
        let isGuessed = essence.split(separator: "/").count != 2
        let names = ["html", "xml", "svg", "xsl", "mixed-replace", "*/*", "unknown"]
        return isGuessed || names.contains { folded.contains($0) }
    }
}
