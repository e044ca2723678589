import JSONText
import ZumoProtocol

/// An HTTP archive (HAR 1.2) to replay, made by this server, a browser or a proxy.
struct HARDocument {
    let entries: [HAREntry]

    /// The maximum number of entries in a document.
    static let mostEntries = 100_000

    /// Reads a document. Members that the format doesn't define are ignored.
    init(_ body: [UInt8]) throws(RecordFault) {
        let json = try RecordFault.parse(body, loneSurrogates: .replaced)
        let list = try HARPlace(value: json, path: "the document").member("log").member("entries")
        // Checked before memory is allocated for each of them.
        guard list.value.elements?.count ?? 0 <= Self.mostEntries else {
            throw list.fault("has more than \(Self.mostEntries) elements")
        }
        entries = try list.elements().map { element throws(RecordFault) in try HAREntry(element) }
    }
}

/// A value of a document, with its position.
struct HARPlace {
    let value: JSONValue
    let path: String

    func fault(_ words: String) -> RecordFault {
        .body("The HAR is malformed: \(path) \(words).")
    }

    private func path(of name: String) -> String { path == "the document" ? name : "\(path).\(name)" }

    /// Returns a required member.
    func member(_ name: String) throws(RecordFault) -> HARPlace {
        guard let member = try optional(name) else {
            throw HARPlace(value: value, path: path(of: name)).fault("is missing")
        }
        return member
    }

    /// Returns an optional member; nil if it is missing or null.
    func optional(_ name: String) throws(RecordFault) -> HARPlace? {
        guard case .object = value else { throw fault("is no object") }
        guard let member = value[name], member != .null else { return nil }
        return HARPlace(value: member, path: path(of: name))
    }

    func text() throws(RecordFault) -> String {
        guard let text = value.textValue else { throw fault("is no text") }
        return text
    }

    func elements() throws(RecordFault) -> [HARPlace] {
        guard let elements = value.elements else { throw fault("is no list") }
        return elements.enumerated().map { HARPlace(value: $1, path: "\(path)[\($0)]") }
    }

    /// Whether a member of that name is `true`.
    func flag(_ name: String) -> Bool { value[name]?.booleanValue ?? false }
}
