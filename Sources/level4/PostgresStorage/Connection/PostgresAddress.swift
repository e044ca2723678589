import CPostgres
import Tables

/// The location of the database: a libpq URI or connection string, completed with defaults.
@safe struct PostgresAddress: Sendable {
    /// Parameters for libpq, of which later ones override earlier ones; `dbname` is the URL.
    let keywords: [String]
    let values: [String]

    /// The defaults, unless the URL or libpq's environment sets them. A dead server is noticed within about ten seconds
    /// even if no answer is pending.
    private static let defaults = [
        ("connect_timeout", "5"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "10000"), ("target_session_attrs", "read-write"), ("fallback_application_name", "zumod"),
    ]

    /// - Parameter database: the database to use instead of the URL's.
    /// - Throws: `table(definition)` if the URL is invalid.
    init(url: String, database: Identifier? = nil) throws(PostgresFailure) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(url, &message) else {
            let detail = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
            unsafe PQfreemem(message)
            // libpq repeats what it can't parse, which may be a password.
            let mayHoldPassword = url.contains("@") || url.lowercased().contains("password")
            let shown = mayHoldPassword ? "" : ": \(detail.trimmedLine)"
            throw .table(.definition("the database's URL can't be read\(shown)"))
        }
        defer { unsafe PQconninfoFree(options) }
        var given: Set<String> = []
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if unsafe option.pointee.val != nil { given.insert(unsafe String(cString: keyword)) }
            unsafe option += 1
        }
        let open = Self.defaults.filter { !given.contains($0.0) }
        // libpq reads the first `dbname` as a URL, and a later one as a name.
        let other = database.map { [$0.text] } ?? []
        keywords = open.map(\.0) + ["dbname", "client_encoding"] + other.map { _ in "dbname" }
        values = open.map(\.1) + [url, "UTF8"] + other
    }

    /// Connects, blocking the thread.
    func connect() -> OpaquePointer? {
        unsafe withCStrings(keywords) { keywords in
            unsafe withCStrings(values) { values in
                unsafe PQconnectdbParams(keywords, values, 1)
            }
        }
    }

    /// Lends a null-terminated array of C strings.
    private func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        var bytes: [CChar] = []
        var offsets: [Int] = []
        for string in strings {
            offsets.append(bytes.count)
            bytes.append(contentsOf: string.utf8CString)
        }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            // There is at least the NUL of one string.
            let start = unsafe buffer.baseAddress.unsafelyUnwrapped
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            for offset in offsets { unsafe pointers.append(unsafe start + offset) }
            unsafe pointers.append(nil)
            return unsafe pointers.withUnsafeBufferPointer { list in
                // The list has at least one element, the null.
                unsafe body(list.baseAddress.unsafelyUnwrapped)
            }
        }
    }
}

extension String {
    /// The text without trailing white space: libpq ends its messages with a line break.
    var trimmedLine: String {
        var text = Substring(self)
        while let last = text.last, last.isNewline || last == " " { text.removeLast() }
        return String(text)
    }
}
