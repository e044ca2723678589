import Operating
import Tables

/// A file with the users of an export.
struct UserImport {
    private let path: String
    private let records: UserRecords

    /// Reads the file to its end.
    /// - Returns: nil if it begins with anything other than users.
    init?(of reader: TransferReader) throws(CommandFault) {
        var reader = reader
        var records = UserRecords()
        var isComplete = false
        while let item = try reader.next() {
            let count = records.users.count + records.former.count
            switch item {
            case .note(.user(let user)) where !isComplete: records.users.append(user)
            case .note(.formerUser(let user)) where !isComplete: records.former.append(user)
            case .note(.usersEnd(let end)) where !isComplete:
                guard end == count else { throw reader.fault("the export had \(end) users, and \(count) are here") }
                isComplete = true
            default:
                guard count > 0 else { return nil }
                throw reader.fault("belongs into another file than users")
            }
        }
        guard !records.isEmpty else { return nil }
        guard isComplete else { throw .data("\(reader.path) was cut off: the end of the users is missing") }
        path = reader.path
        self.records = records
    }

    /// Returns the users that the database lacks.
    func additions(
        to users: any UserStore, _ options: TableImport.Options
    ) async throws(CommandFault) -> UserRecords {
        let known = try await CommandFault.asking(await users.userRecords())
        do throws(UserConflict) {
            return try records.additions(to: known, skipsExisting: options.skipsExisting)
        } catch {
            throw .data("\(path): \(error.sentence)")
        }
    }

    /// Adds the users that the database lacks, all or none.
    /// - Returns: a line for the operator.
    func write(to users: any UserStore, _ options: TableImport.Options) async throws(CommandFault) -> String {
        let added = try await additions(to: users, options)
        try await CommandFault.asking(await users.addUsers(added))
        let rest = records.users.count - added.users.count
        return "users: \(added.users.count) added" + (rest > 0 ? ", \(rest) there already or removed" : "")
    }

    /// Returns a fault of a user among rows.
    static func misplaced(_ reader: TransferReader) -> CommandFault {
        reader.fault("is a user: users stand in a file of their own")
    }
}

extension UserConflict {
    fileprivate var sentence: String {
        switch self {
        case .otherUser(let name):
            "there is a user \(name) already, who is somebody else or has another password; --skip-existing keeps such "
                + "users as they are"
        case .removedHere(let name):
            "the user \(name) was removed from this database; --skip-existing leaves such users out"
        case .removedThere(let name):
            "the user \(name) of this database was removed from the other one; --skip-existing keeps such users"
        case .otherFormerUser(let name):
            "this database has a record of somebody else who had the name \(name) before; --skip-existing keeps it, and "
                + "the other one's rows are nobody's"
        }
    }
}
