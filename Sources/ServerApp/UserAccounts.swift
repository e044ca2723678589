import Access
import OData
public import Operating
public import ServerConfiguration
import Tables

/// The users of the provider `local`, as an operator tends them: for `zumod user`.
public struct UserAccounts: Sendable {
    private let configuration: Configuration

    /// - Parameter configuration: names the database; its tables don't matter.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Adds a user.
    public func add(_ name: String, password: String) async throws(CommandFault) {
        guard !name.isEmpty, name.unicodeScalars.count <= 128,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .usage("a user's name has 1 to 128 characters, none of them a control character") }
        let hash = try Self.hash(password)
        let isNew = try await using { users throws(TableError) in try await users.addUser(name, passwordHash: hash) }
        guard isNew else { throw .usage("there is a user \(name) already; `zumod user passwd` changes a password") }
    }

    /// Gives a user another password, which ends the user's tokens.
    public func setPassword(_ password: String, of name: String) async throws(CommandFault) {
        let hash = try Self.hash(password)
        let isThere = try await using { users throws(TableError) in
            try await users.setPasswordHash(hash, ofUser: name)
        }
        guard isThere else { throw .usage("there is no user \(name)") }
    }

    /// Removes a user, which ends the user's tokens. The rows stay.
    public func remove(_ name: String) async throws(CommandFault) {
        let isThere = try await using { users throws(TableError) in try await users.removeUser(name) }
        guard isThere else { throw .usage("there is no user \(name)") }
    }

    /// Makes a user one who looks after the server, or no longer.
    public func setAdmin(_ isAdmin: Bool, _ name: String) async throws(CommandFault) {
        let isThere = try await using { users throws(TableError) in
            try await users.setAdmin(isAdmin, ofUser: name)
        }
        guard isThere else { throw .usage("there is no user \(name)") }
    }

    /// Ends the tokens that a user has.
    public func revoke(_ name: String) async throws(CommandFault) {
        let isThere = try await using { users throws(TableError) in try await users.endTokens(ofUser: name) }
        guard isThere else { throw .usage("there is no user \(name)") }
    }

    /// A line for each user, by name.
    public func list() async throws(CommandFault) -> [String] {
        try await using { users throws(TableError) in try await users.users() }
            .map { "\($0.name)\tsince \($0.createdAt.wireText)\($0.isAdmin ? "\tadmin" : "")" }
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

    private func using<Result: Sendable>(
        _ body: (any UserStore) async throws(TableError) -> Result
    ) async throws(CommandFault) -> Result {
        var configuration = configuration
        configuration.tables = []
        return try await OperatorDatabase.using(configuration) { database throws(CommandFault) in
            do throws(TableError) {
                return try await body(database.users)
            } catch {
                throw .application(StartFault(error))
            }
        }
    }
}
