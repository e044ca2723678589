/// The statements that batches of writes, receipts and the reads of a turn run around others. A connection finds them
/// by index, since looking up a text takes longer than running some of them.
enum FixedStatement: Int, CaseIterable {
    case begin, beginWriting, commit, openMember, releaseMember
    case dataVersion, schemaVersion, storeVersion, storeStamp
    case findReceipt, keepReceipt, findRowReceipt, keepRowReceipt

    /// The SQL text.
    var text: String {
        switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .openMember: "SAVEPOINT member"
        case .releaseMember: "RELEASE member"
        case .dataVersion: "PRAGMA data_version"
        case .schemaVersion: "PRAGMA schema_version"
        case .storeVersion: "UPDATE zumod_counters SET value = ?1 WHERE name = 'version'"
        case .storeStamp: "UPDATE zumod_tables SET last_stamp = ?1 WHERE name = ?2"
        case .findReceipt: "SELECT version, record FROM zumod_receipts WHERE key = ?1 AND written_at >= ?2"
        case .keepReceipt:
            "INSERT OR REPLACE INTO zumod_receipts (key, written_at, version, record) VALUES (?1, ?2, ?3, ?4)"
        case .findRowReceipt:
            "SELECT 1 FROM zumod_row_receipts WHERE version = ?1 AND request = ?2 AND written_at >= ?3"
        case .keepRowReceipt:
            "INSERT OR REPLACE INTO zumod_row_receipts (version, request, written_at) VALUES (?1, ?2, ?3)"
        }
    }
}
