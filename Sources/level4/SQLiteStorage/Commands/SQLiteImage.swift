public import StoreMetrics
public import Tables

/// A snapshot of a database in memory, with its tables. Any number of stores can start from it.
public struct SQLiteImage: Sendable {
    let bytes: [UInt8]
    let tables: [Identifier: Table]
    let limits: ClientLimits
    let continuationSecret: [UInt8]
}

extension SQLiteTableStore {
    /// Returns the whole database, as of a moment between two commits.
    /// - Parameter secret: the key for sealing links in stores that start from it; nil for this store's.
    public func image(continuationSecret secret: [UInt8]? = nil) async throws(TableError) -> SQLiteImage {
        let bytes = try await writer.read { connection throws(TableError) in try connection.serialized() }
        let tables = Dictionary(catalog.all().map { ($0.name, $0) }) { first, _ in first }
        return SQLiteImage(
            bytes: bytes, tables: tables, limits: catalog.limits, continuationSecret: secret ?? continuationSecret)
    }

    /// Opens a store in memory with the contents of an image, without repeating the checks that the image passed.
    public static func open(
        _ image: SQLiteImage, watch: StoreInstrumentation = StoreInstrumentation(),
        clock: @escaping Clock = { SystemClock.now() }
    ) throws(TableError) -> SQLiteTableStore {
        let connection = try SQLiteConnection(.memory, role: .writer)
        try connection.fill(from: image.bytes)
        connection.watch = watch
        return SQLiteTableStore(
            connection, at: .memory, catalog: SQLiteTableCatalog(image.tables, limits: image.limits),
            queryTimeLimit: defaultQueryTimeLimit, continuationKey: image.continuationSecret, watch: watch,
            clock: clock)
    }
}
