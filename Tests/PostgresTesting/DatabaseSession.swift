import CPostgres

/// A session of psql or another program, on the caller's thread.
@safe public final class DatabaseSession {
    private let handle: OpaquePointer?

    /// What the server answered instead.
    public struct Failure: Error, CustomStringConvertible {
        /// In its words.
        public let description: String
    }

    /// Connects.
    public init(_ url: String) throws {
        unsafe handle = unsafe PQconnectdb(url)
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            throw Failure(description: unsafe String(cString: PQerrorMessage(handle)))
        }
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// The URL of another database of a server.
    public static func url(_ name: String, on server: String) -> String {
        let place = server.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return place.joined(separator: "/") + "/" + name
    }

    /// Runs SQL and answers the rows of its last statement as text.
    @discardableResult
    public func run(_ sql: String) throws -> [[String?]] {
        let result = unsafe PQexec(handle, sql)
        defer { unsafe PQclear(result) }
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
        default: throw Failure(description: unsafe String(cString: PQerrorMessage(handle)))
        }
        return unsafe (0..<PQntuples(result)).map { row in
            unsafe (0..<PQnfields(result)).map { column in
                unsafe PQgetisnull(result, row, column) == 1
                    ? nil : unsafe String(cString: PQgetvalue(result, row, column))
            }
        }
    }
}
