import JSONText
import Scalars
import Tables

// Users as notes of an export. Times are milliseconds since 1970.

extension UserRecord {
    /// The user as a note.
    var note: JSONValue {
        [
            "zumod": "user", "name": .string(name), "password": .string(account.passwordHash),
            "createdAt": .integer(createdAt.milliseconds),
            "tokensEndedAt": .integer(account.tokensEndedAt.milliseconds), "isAdmin": .boolean(account.isAdmin),
            "mark": .string(account.mark),
        ]
    }

    /// - Returns: nil if a member is missing or invalid.
    init?(_ values: [String: JSONValue]) {
        guard let former = FormerUser(values), case .string(let password) = values["password"], !password.isEmpty,
            !password.utf8.contains(0), case .integer(let created) = values["createdAt"],
            case .integer(let ended) = values["tokensEndedAt"], case .boolean(let isAdmin) = values["isAdmin"]
        else { return nil }
        self.init(
            name: former.name, createdAt: Instant(milliseconds: created),
            account: UserAccount(
                passwordHash: password, tokensEndedAt: Instant(milliseconds: ended), isAdmin: isAdmin,
                mark: former.mark))
    }
}

extension FormerUser {
    /// The removed user as a note.
    var note: JSONValue { ["zumod": "formerUser", "name": .string(name), "mark": .string(mark)] }

    /// - Returns: nil if a member is missing or invalid.
    init?(_ values: [String: JSONValue]) {
        guard case .string(let name) = values["name"], !name.isEmpty, !name.utf8.contains(0),
            case .string(let mark) = values["mark"], mark.isEmpty || UserSuffix.isMark(mark)
        else { return nil }
        self.init(name: name, mark: mark)
    }
}

extension UserRecords {
    /// The name of their file, without its ending: one that no table has.
    static let fileName = "zumod_users"

    /// The lines of their file.
    func lines(as format: TransferFormat) -> [UInt8] {
        let notes =
            users.map(TransferNote.user) + former.map(TransferNote.formerUser) + [.usersEnd(users.count + former.count)]
        return notes.flatMap { note in
            switch format {
            case .jsonl: JSONRowLines.closing(note)
            case .csv: CSVRowLines.closing(note)
            }
        }
    }

    /// What operators are told by an export without them.
    var missingNote: [String] {
        guard !users.isEmpty else { return [] }
        let who = users.count == 1 ? "1 user who logs" : "\(users.count) users who log"
        return [
            "note: the \(who) in with a password of this database (`zumod user list`) are NOT exported: "
                + "`zumod export --output DIR/`, without --table, has them too"
        ]
    }
}
