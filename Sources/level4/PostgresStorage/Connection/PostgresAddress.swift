import CPostgres
import Tables

/// Where the database is: a libpq URI or connection string, completed with defaults.
@safe struct PostgresAddress: Sendable {
    /// Parameters for libpq, where later ones win; `dbname` is the URL.
    let keywords: [String]
    let values: [String]

    /// The defaults, unless the URL or libpq's environment says otherwise. A dead server is noticed within about ten
    /// seconds even if nothing waits for its answer.
    private static let defaults = [
        ("connect_timeout", "5"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "10000"), ("target_session_attrs", "read-write"), ("fallback_application_name", "zumod"),
    ]

    /// - Parameter database: the database to use instead of the URL's.
    /// - Throws: `table(definition)` if the URL isn't valid.
    init(url: String, database: Identifier? = nil) throws(PostgresFailure) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(url, &message) else {
            let detail = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
            unsafe PQfreemem(message)
            // libpq repeats what it can't read, which may be a password.
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
        // libpq takes the first for a URL, and the later for what it says.
        let other = database.map { [$0.text] } ?? []
        keywords = open.map(\.0) + ["dbname", "client_encoding"] + other.map { _ in "dbname" }
        values = open.map(\.1) + [url, "UTF8"] + other
    }

    /// Connects, which blocks.
    func connect() -> OpaquePointer? {
        unsafe withCStrings(keywords) { keywords in
            unsafe withCStrings(values) { values in
                unsafe PQconnectdbParams(keywords, values, 1)
            }
        }
    }

    /// Passes on an array of C strings that ends with null.
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
                // The list has one element at least, the null.
                unsafe body(list.baseAddress.unsafelyUnwrapped)
            }
        }
    }
}

extension String {
    /// libpq ends its messages with a line break.
    var trimmedLine: String {
        var text = Substring(self)
        while let last = text.last, last.isNewline || last == " " { text.removeLast() }
        return String(text)
    }
}
