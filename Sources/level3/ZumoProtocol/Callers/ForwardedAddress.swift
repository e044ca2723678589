import ByteText
import HTTPModel

/// What proxies report about the address that the client requested. Anything that isn't valid in a URL is ignored.
struct ForwardedAddress {
    private(set) var scheme: String?
    private(set) var authority: Authority?
    private(set) var port: Int?
    /// The path below which the server is; empty, or with a leading slash and no trailing one.
    private(set) var prefix = ""

    /// Reads the older fields, or `Forwarded` (RFC 7239) if there are none of them.
    /// - Returns: nil if proxies report nothing.
    init?(_ fields: HTTPFields, trusting proxies: TrustedProxies) {
        if Self.areSetByName(in: fields) || !fields.contains("Forwarded") {
            let hops = Self.hops(fields, proxies)
            let proto = Self.element(of: fields.values("X-Forwarded-Proto"), hops)
            let host = Self.element(of: fields.values("X-Forwarded-Host"), hops)
            let port = Self.element(of: fields.values("X-Forwarded-Port"), hops)
            let prefix = fields.values("X-Forwarded-Prefix")
            if proto == nil, host == nil, port == nil, prefix.isEmpty { return nil }
            scheme = proto.flatMap(Self.scheme)
            authority = host.flatMap { Authority($0) }
            self.port = port.flatMap { Authority.port($0) }
            self.prefix = Self.prefix(prefix)
        } else {
            let elements = fields.values("Forwarded").flatMap(ForwardedField.elements)
            guard let element = Self.element(of: elements, proxies) else { return nil }
            authority = Self.element(of: fields.values("X-Forwarded-Host"), .max).flatMap { Authority($0) }
            for (name, written) in element {
                let value = written.filter { $0 != "\"" && $0 != " " }
                switch name.filter({ $0 != " " }).lowercased() {
                case "proto": scheme = Self.scheme(value)
                case "host": authority = Authority(value) ?? authority
                default: continue
                }
            }
        }
    }

    /// Returns whether a proxy sets at least one of the older fields. If so, it passes on the client's own `Forwarded`,
    /// which is ignored. No proxy sets only `X-Forwarded-Host`.
    static func areSetByName(in fields: HTTPFields) -> Bool { namedFields.contains(where: fields.contains) }

    static let namedFields: [StaticString] = [
        "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix",
    ]

    /// Returns which element to use, from the end. Each proxy appends one: the proxy that the client connected to wrote
    /// the last before those of the trusted proxies behind it. If no address shows their number, the first is used.
    private static func hops(_ fields: HTTPFields, _ proxies: TrustedProxies) -> Int {
        let addresses = list(fields.values("X-Forwarded-For"))
        // The first address in the list forwarded no one's request.
        return addresses.isEmpty
            ? .max : min(addresses.count, 1 + addresses.reversed().prefix { isOf(proxies, $0) }.count)
    }

    private static func isOf(_ proxies: TrustedProxies, _ text: some StringProtocol) -> Bool {
        ClientAddress.address(in: String(text.filter { $0 != " " })).map(proxies.contain) ?? false
    }

    private static func element(of values: [String], _ hops: Int) -> Substring? {
        let elements = list(values)
        return elements.isEmpty ? nil : elements[max(0, elements.count - min(hops, elements.count))]
    }

    /// Returns the element of the proxy that the client connected to: those after it belong to proxies that a trusted
    /// one connected to.
    private static func element(
        of elements: [[(name: Substring, value: Substring)]], _ proxies: TrustedProxies
    ) -> [(name: Substring, value: Substring)]? {
        let told = elements.map { pairs in
            pairs.first { $0.name.filter { $0 != " " }.lowercased() == "for" }?.value
        }
        let asked =
            told.lastIndex { $0.map { !isOf(proxies, $0.filter { $0 != "\"" }) } ?? false }
            ?? told.firstIndex { $0 != nil }
        return asked.map { elements[$0] } ?? elements.first
    }

    private static func list(_ values: [String]) -> [Substring] {
        values.flatMap { $0.split(separator: ",") }.map { blank in
            let text = blank.drop { $0 == " " || $0 == "\t" }
            let end = text.lastIndex { $0 != " " && $0 != "\t" }
            return text.prefix(upTo: end.map(text.index(after:)) ?? text.startIndex)
        }.filter { !$0.isEmpty }
    }

    private static func scheme(_ text: some StringProtocol) -> String? {
        let scheme = text.lowercased()
        return scheme == "http" || scheme == "https" ? scheme : nil
    }

    /// Joins the prefixes of proxies that each strip a part of the path, from the outermost inwards.
    private static func prefix(_ values: [String]) -> String {
        var prefix = ""
        for part in list(values) where part != "/" {
            let part = part.hasSuffix("/") ? part.dropLast() : part
            let segments = part.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            guard part.hasPrefix("/"), segments.allSatisfy(isSegment) else { return "" }
            prefix += part
        }
        return prefix.utf8.count <= 255 ? prefix : ""
    }

    /// Returns whether the text may appear unescaped in links, and isn't a relative path.
    private static func isSegment(_ text: Substring) -> Bool {
        !text.isEmpty && text != "." && text != ".."
            && text.utf8.allSatisfy { $0.isLetterOrDigit || ".-_~".utf8.contains($0) }
    }
}
