import Access
import AuthAPI
import ByteText
public import Operating
import Scalars
public import ServerConfiguration
import Tables

/// Manages the users of the provider `local`, for `zumod user`.
public struct UserAccounts: Sendable {
    private let configuration: Configuration

    /// - Parameter configuration: says where the database is; its tables don't matter.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Adds a user.
    /// - Parameter inherits: whether this is the person who last had the name, and sees that user's rows.
    /// - Returns: what the operator should know.
    public func add(
        _ name: String, password: String, inherits: Bool = false
    ) async throws(CommandFault) -> [String] {
        let name = try Self.name(name)
        let hash = try Self.hash(password)
        return try await usingRows(creates: true) { database, rows throws(CommandFault) in
            try await add(name, hash, inherits, database.users, rows)
        }
    }

    private func add(
        _ name: String, _ hash: String, _ inherits: Bool, _ users: any UserStore, _ rows: UserRows
    ) async throws(CommandFault) -> [String] {
        if let same = try await CommandFault.asking(await users.users()).first(where: {
            PreparedText.name($0.name).isExactly(name)
        }) {
            throw .usage("there is a user \(same.name) already; `zumod user passwd` changes a password")
        }
        let former = try await CommandFault.asking(await Self.former(name, users, rows))
        if inherits, former == nil {
            throw .usage(
                "nobody had the name \(name) before, of whom the database knows, so there is nothing to inherit")
        }
        let mark: UserSuffix
        switch (inherits, former) {
        case (true, let former?): mark = .exactly(former.mark)
        case (false, let former?) where former.rows != nil: mark = .exactly(UserSuffix.random())
        default: mark = .ifNeeded(UserSuffix.random())
        }
        guard try await CommandFault.asking(await users.addUser(name, passwordHash: hash, mark: mark)),
            let account = try await CommandFault.asking(await users.account(ofUser: name))
        else {
            throw .usage("there is a user \(name) already; `zumod user passwd` changes a password")
        }
        guard let former else { return [] }
        let id = LoginProvider.localUserID(name, mark: account.mark)
        if inherits {
            // Of several who had the name it may be an earlier one, which only the operator can tell.
            let rows = former.rows.map { "whose rows the user sees (\($0))" } ?? "of whom no rows are left"
            return ["note: \(name) is the former user with the id \(id), \(rows)"]
        }
        let note = "note: somebody had the name \(name) before; the new user is another one, with the id \(id)"
        guard let rows = former.rows else { return [note] }
        return [
            "\(note), and doesn't see the former one's rows (\(rows)). To hand them over, remove the user and add "
                + "the user again with --inherit."
        ]
    }

    /// Returns the mark of the last user who had a name, and the rows that still exist.
    private static func former(
        _ name: String, _ users: any UserStore, _ rows: UserRows
    ) async throws(TableError) -> (mark: String, rows: String?)? {
        let last = try await users.formerMark(ofUser: name)
        // Earlier versions kept no record of removed users.
        for mark in last.map({ $0.isEmpty ? [""] : [$0, ""] }) ?? [""] {
            if let words = try await rows.counts(ofUser: LoginProvider.localUserID(name, mark: mark)).words {
                return (mark, words)
            }
        }
        return last.map { ($0, nil) }
    }

    /// Gives a user another password, which ends the user's tokens.
    public func setPassword(_ password: String, of name: String) async throws(CommandFault) {
        let hash = try Self.hash(password)
        try await changing(name) { users, name throws(TableError) in
            try await users.setPasswordHash(hash, ofUser: name)
        }
    }

    /// Removes a user, which ends the user's tokens.
    /// - Parameter withRows: whether the rows that belong only to the user are removed too.
    /// - Returns: what became of the user's rows.
    public func remove(_ name: String, withRows: Bool = false) async throws(CommandFault) -> [String] {
        try await usingRows { database, rows throws(CommandFault) in
            let lines = try await CommandFault.asking(await Self.remove(name, withRows, database.users, rows))
            guard let lines else { throw .usage("there is no user \(name)") }
            return lines
        }
    }

    private static func remove(
        _ typed: String, _ withRows: Bool, _ users: any UserStore, _ rows: UserRows
    ) async throws(TableError) -> [String]? {
        let stored = try await users.account(typed: typed)
        let name = stored?.name ?? PreparedText.name(typed)
        let mark: String?
        if let stored {
            mark = stored.account.mark
            guard try await users.removeUser(name) else { return nil }
        } else {
            // Completes a removal that was interrupted after the account was gone.
            mark = withRows ? try await former(name, users, rows)?.mark : nil
        }
        guard let mark else { return nil }
        let id = LoginProvider.localUserID(name, mark: mark)
        var lines: [String] = []
        var tombstones: [String] = []
        if withRows {
            // Until then, servers may still let the user write.
            try? await Task.sleep(for: LocalSessions.belief * 2)
            let removed = try await rows.remove(ofUser: id)
            lines = ["\(removed.map(\.rows).reduce(0, +)) rows of \(name) are gone"]
            tombstones = removed.filter(\.leavesTombstones).map { tombstonesNote($0.rows, in: $0.table) }
        }
        let left = try await rows.counts(ofUser: id)
        if let words = left.filter({ $0.kind != .undefined }).words {
            let why = withRows ? "they aren't the user's alone, or stay by a trigger" : "--with-rows removes those too"
            lines.append("note: rows of \(name) stay (\(words)): \(why)")
        }
        if let words = left.filter({ $0.kind == .undefined }).words {
            lines.append(
                """
                note: rows with the id \(id) stay (\(words)) in tables that the configuration doesn't name: where they \
                are the user's alone, --with-rows with --app, or with the table's file, removes them
                """)
        }
        return lines + tombstones
    }

    /// Says what a device has to learn of, and that nobody else should.
    private static func tombstonesNote(_ rows: Int, in table: Identifier) -> String {
        """
        note: \(rows) of them stay in \(table) as tombstones, with all that they hold, so that devices learn of it: \
        `zumod table purge \(table) --older-than 30d` in 30 days, or 0s at once, removes them
        """
    }

    /// Makes a user an admin of the server, or revokes that.
    public func setAdmin(_ isAdmin: Bool, _ name: String) async throws(CommandFault) {
        try await changing(name) { users, name throws(TableError) in
            try await users.setAdmin(isAdmin, ofUser: name)
        }
    }

    /// Ends all current tokens of a user.
    public func revoke(_ name: String) async throws(CommandFault) {
        try await changing(name) { users, name throws(TableError) in try await users.endTokens(ofUser: name) }
    }

    /// Returns a line for each user, by name.
    public func list() async throws(CommandFault) -> [String] {
        try await using { database throws(CommandFault) in
            try await CommandFault.asking(await database.users.users())
        }.map { user in
            let id = user.mark.isEmpty ? "" : "\t\(LoginProvider.localUserID(user.name, mark: user.mark))"
            return "\(user.name)\tsince \(user.createdAt.wireText)\(user.isAdmin ? "\tadmin" : "")\(id)"
        }
    }

    /// Returns the name of a new user in the form in which it is stored.
    private static func name(_ typed: String) throws(CommandFault) -> String {
        let name = PreparedText.name(typed)
        let scalars = name.unicodeScalars
        guard !name.isEmpty, scalars.count <= 128,
            !scalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .usage("a user's name has 1 to 128 characters, none of them a control character") }
        // U+FFFD stands for bytes that aren't UTF-8, and a byte order mark is invisible on pages.
        guard !scalars.contains("\u{FFFD}"), !scalars.contains("\u{FEFF}") else {
            throw .usage("the name isn't UTF-8, or has a byte order mark in it")
        }
        guard UserSuffix.users(of: name).count == 1 else {
            throw .usage("a name doesn't end with # and eight digits, as ids of users do")
        }
        return name
    }

    private static func hash(_ password: String) throws(CommandFault) -> String {
        do throws(PasswordHash.Fault) {
            return try PasswordHash(of: password).text
        } catch {
            switch error {
            case .tooShort(let least): throw .usage("a password has at least \(least) characters")
            case .tooLong(let most): throw .usage("a password has at most \(most) characters")
            case .noMemory: throw .application(.bug("there is no memory to hash a password, which takes 32 MiB"))
            }
        }
    }

    private func changing(
        _ typed: String, _ change: @Sendable (any UserStore, String) async throws(TableError) -> Bool
    ) async throws(CommandFault) {
        let isThere = try await using { database throws(CommandFault) in
            guard let name = try await CommandFault.asking(await database.users.account(typed: typed))?.name else {
                return false
            }
            return try await CommandFault.asking(await change(database.users, name))
        }
        guard isThere else { throw .usage("there is no user \(typed)") }
    }

    private func using<Result: Sendable>(
        _ body: (Database) async throws(CommandFault) -> Result
    ) async throws(CommandFault) -> Result {
        var configuration = configuration
        configuration.tables = []
        return try await OperatorDatabase.using(configuration, body)
    }

    /// - Parameter creates: whether the database is created where there is none.
    private func usingRows<Result: Sendable>(
        creates: Bool = false, _ body: (Database, UserRows) async throws(CommandFault) -> Result
    ) async throws(CommandFault) -> Result {
        var configuration = configuration
        let places = UserRows.tables(of: configuration)
        let defined = Set(configuration.tables.map(\.name))
        // Of one in memory nothing is known, and it is refused.
        let present =
            configuration.database == .sqliteInMemory
            ? [] : try await OperatorDatabase.tables(in: configuration, creates: creates).map(\.name)
        configuration.tables.removeAll { !places.contains($0.name) }
        return try await OperatorDatabase.using(
            configuration, tables: Set(present).subtracting(defined), creates: creates
        ) { database throws(CommandFault) in
            try await body(database, UserRows(configuration, defined: defined, in: database.store))
        }
    }
}
