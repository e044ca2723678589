import HTTPModel
import Testing
import WireTesting

/// Conditional fields of a v3 request, and what they say of a row that has just been written.
struct Condition: Sendable, CustomStringConvertible {
    enum Verdict: Sendable {
        case holds, unchanged, failed
    }

    private let fields: [String]
    let verdict: Verdict

    /// What they say of a write, where that is something else: the entity tags are a cache's.
    let verdictOnWrite: Verdict

    private init(_ fields: [String], _ verdict: Verdict, onWrite: Verdict? = nil) {
        self.fields = fields
        self.verdict = verdict
        verdictOnWrite = onWrite ?? verdict
    }

    var description: String { fields.joined(separator: "; ") }

    /// The fields for a row: `{current}` and `{stale}` are versions, the others dates an hour and a second around the
    /// row's last change.
    func fields(for row: ChangedRow) -> [String] {
        fields.map { field in
            row.values.reduce(field) { $0.replacing("{\($1.name)}", with: $1.value) }
        }
    }

    static let all = tags + dates + together

    private static let tags = [
        Condition([], .holds),
        Condition([#"If-Match: "{current}""#], .holds),
        Condition(["If-Match: {current}"], .holds),
        Condition(["If-Match: *"], .holds),
        Condition(["If-Match: "], .holds),
        Condition([#"If-Match: "{stale}""#], .failed),
        Condition([#"If-Match: "dGVzdA==""#], .failed),
        Condition([#"If-Match: W/"{current}""#], .holds),
        Condition([#"If-Match: W/"{stale}""#], .failed),
        Condition([#"If-Match: W/"dGVzdA==""#], .failed),
        Condition([#"If-Match: "{current}-gzip""#], .holds),
        Condition([#"If-Match: "{stale};br""#], .failed),
        Condition([#"If-Match: "W/\"{current}\"""#], .holds),
        Condition([#"If-Match: "dGVzdA==", "{current}""#], .holds),
        Condition([#"If-Match: "{stale}""#, #"If-Match: "{current}""#], .holds),
        Condition([#"If-Match: "{stale}", W/"{current}""#], .holds),
        Condition([#"If-Match: "{stale}-gzip", "W/\"{current}\"""#], .holds),
        Condition([#"If-Match: "{current}" "{stale}""#], .holds),
        Condition([#"If-Match: "dGVzdA==", *"#], .holds),
        Condition([#"If-None-Match: "{current}""#], .unchanged, onWrite: .holds),
        Condition(["If-None-Match: *"], .unchanged),
        Condition([#"If-None-Match: "dGVzdA==""#], .holds),
        Condition([#"If-None-Match: "{stale}""#], .holds),
        Condition([#"If-None-Match: W/"{current}""#], .holds),
        Condition([#"If-None-Match: "dGVzdA==","{current}""#], .unchanged, onWrite: .holds),
    ]

    private static let dates = [
        Condition(["If-Unmodified-Since: {hourBefore}"], .failed),
        Condition(["If-Unmodified-Since: {secondBefore}"], .failed),
        Condition(["If-Unmodified-Since: {lastModified}"], .holds),
        Condition(["If-Unmodified-Since: {hourAfter}"], .holds),
        Condition(["If-Unmodified-Since: tomorrow"], .holds),
        Condition(["If-Modified-Since: {hourBefore}"], .holds),
        Condition(["If-Modified-Since: {secondBefore}"], .holds),
        Condition(["If-Modified-Since: {lastModified}"], .unchanged),
        Condition(["If-Modified-Since: {hourAfter}"], .unchanged),
        Condition(["If-Modified-Since: tomorrow"], .holds),
    ]

    /// Where two fields disagree, their order decides.
    private static let together = [
        Condition([#"If-Match: "{current}""#, "If-Unmodified-Since: {hourBefore}"], .holds),
        Condition([#"If-Match: "{stale}""#, "If-Unmodified-Since: {hourAfter}"], .failed),
        Condition([#"If-Match: "{current}""#, #"If-None-Match: "{current}""#], .unchanged, onWrite: .holds),
        Condition([#"If-Match: "{stale}""#, #"If-None-Match: "{current}""#], .failed),
        Condition([#"If-Match: "{current}""#, "If-Modified-Since: {hourAfter}"], .unchanged),
        Condition([#"If-None-Match: "dGVzdA==""#, "If-Modified-Since: {hourAfter}"], .holds),
        Condition([#"If-None-Match: "{current}""#, "If-Modified-Since: {hourBefore}"], .unchanged, onWrite: .holds),
        Condition([#"If-None-Match: "{current}""#, "If-Modified-Since: {lastModified}"], .unchanged, onWrite: .holds),
        Condition([#"If-Match: "{current}""#, "If-None-Match: *"], .unchanged),
        Condition(["If-Unmodified-Since: {hourBefore}", #"If-None-Match: "{current}""#], .failed),
        Condition(["If-Unmodified-Since: {hourAfter}", #"If-None-Match: "{current}""#], .unchanged, onWrite: .holds),
        Condition(["If-Unmodified-Since: {hourAfter}", "If-Modified-Since: {hourAfter}"], .unchanged),
        Condition(["If-Unmodified-Since: {hourAfter}", "If-Modified-Since: {hourBefore}"], .holds),
    ]
}

/// A row that was written twice.
struct ChangedRow {
    let path: String
    /// The row as it stands.
    let body: [UInt8]
    let tag: String
    let values: [(name: String, value: String)]

    init(_ id: String, _ client: WireClient) throws {
        path = "/tables/todo/\(id)"
        let first = try client.exchange("POST", "/tables/todo", #"{"id":"\#(id)"}"#, ConditionTests.version)
        let second = try client.exchange(
            "PUT", path, #"{"id":"\#(id)","text":"tea"}"#, ConditionTests.version)
        try #require(first.code == 201 && second.code == 200)
        body = second.body
        tag = try #require(second["ETag"])
        let lastModified = try #require(second["Last-Modified"])
        let seconds = try #require(HTTPDate.secondsSinceEpoch(from: lastModified, now: 0))
        func date(_ offset: Int64) -> String { HTTPDate.text(secondsSinceEpoch: seconds + offset) }
        values = [
            ("current", tag.replacing("\"", with: "")),
            ("stale", (first["ETag"] ?? "").replacing("\"", with: "")),
            ("lastModified", lastModified), ("secondBefore", date(-1)), ("hourBefore", date(-3_600)),
            ("hourAfter", date(3_600)),
        ]
    }
}
