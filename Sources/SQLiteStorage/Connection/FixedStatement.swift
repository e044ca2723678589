/// The statements that batches of writes, and the reads of a turn, run around others. A connection finds them by their place,
/// since to look one up by its text takes longer than some of them do.
enum FixedStatement: Int, CaseIterable {
    case begin, beginWriting, commit, openMember, releaseMember
    case dataVersion, storeVersion, storeStamp

    /// What SQLite is given.
    var text: String {
        switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .openMember: "SAVEPOINT member"
        case .releaseMember: "RELEASE member"
        case .dataVersion: "PRAGMA data_version"
        case .storeVersion: "UPDATE zumod_counters SET value = ?1 WHERE name = 'version'"
        case .storeStamp: "UPDATE zumod_tables SET last_stamp = ?1 WHERE name = ?2"
        }
    }
}
