/// The patterns of paths by their definition, in whatever time it takes.
enum PathGlobReference {
    static func matches(_ pattern: Substring, _ path: Substring) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        let stars = pattern.prefix { $0 == "*" }.count
        if stars > 0 {
            let rest = pattern.dropFirst(stars)
            return ends(of: path, acrossSlashes: stars > 1).contains { matches(rest, $0) }
        }
        let segment = pattern.dropFirst().prefix { $0 == "*" }.count
        let rest = pattern.dropFirst(1 + segment)
        if first == "/", segment >= 2, rest.isEmpty || rest.first == "/" {
            if matches(rest, path) { return true }
            return path.first == "/" && ends(of: path.dropFirst(), acrossSlashes: true).contains { matches(rest, $0) }
        }
        return path.first == first && matches(pattern.dropFirst(), path.dropFirst())
    }

    /// What may be left of a path behind a star.
    private static func ends(of path: Substring, acrossSlashes: Bool) -> [Substring] {
        let taken = acrossSlashes ? path.count : path.prefix { $0 != "/" }.count
        return (0...taken).map { path.dropFirst($0) }
    }
}
