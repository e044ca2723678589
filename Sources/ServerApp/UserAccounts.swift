import Access
import OData
import Tables

/// The users of the provider `local`, as an operator tends them: for `zumod user`.
public struct UserAccounts: Sendable {
    private let configuration: Configuration

    /// Why nothing was done.
    public enum Fault: Error, Sendable {
        /// What was asked for can't be; the sentence is for the operator.
        case refused(String)
        case application(Application.Fault)
    }

    /// - Parameter configuration: names the database; its tables don't matter.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Adds a user.
    public func add(_ name: String, password: String) async throws(Fault) {
        guard !name.isEmpty, name.unicodeScalars.count <= 128,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .refused("a user's name has 1 to 128 characters, none of them a control character") }
        let hash = try Self.hash(password)
        let isNew = try await using { users throws(TableError) in try await users.addUser(name, passwordHash: hash) }
        guard isNew else { throw .refused("there is a user \(name) already; `zumod user passwd` changes a password") }
    }

    /// Gives a user another password. Tokens that he has stay valid until they expire.
    public func setPassword(_ password: String, of name: String) async throws(Fault) {
        let hash = try Self.hash(password)
        let isThere = try await using { users throws(TableError) in
            try await users.setPasswordHash(hash, ofUser: name)
        }
        guard isThere else { throw .refused("there is no user \(name)") }
    }

    /// Removes a user. His rows stay, and tokens that he has stay valid until they expire.
    public func remove(_ name: String) async throws(Fault) {
        let isThere = try await using { users throws(TableError) in try await users.removeUser(name) }
        guard isThere else { throw .refused("there is no user \(name)") }
    }

    /// A line for each user, by name.
    public func list() async throws(Fault) -> [String] {
        try await using { users throws(TableError) in try await users.users() }
            .map { "\($0.name)\tsince \($0.createdAt.wireText)" }
    }

    private static func hash(_ password: String) throws(Fault) -> String {
        do throws(PasswordHash.Fault) {
            return try PasswordHash(of: password).text
        } catch {
            switch error {
            case .tooShort(let least): throw .refused("a password has at least \(least) characters")
            case .tooLong(let most): throw .refused("a password has at most \(most) characters")
            }
        }
    }

    private func using<Result: Sendable>(
        _ body: (any UserStore) async throws(TableError) -> Result
    ) async throws(Fault) -> Result {
        var configuration = configuration
        configuration.tables = []
        if configuration.database == .sqliteInMemory {
            throw .refused("a database in memory keeps no users; name another with --database")
        }
        do throws(TableError) {
            let database = try await Database.open(configuration)
            let result: Swift.Result<Result, TableError>
            do throws(TableError) {
                result = .success(try await body(database.users))
            } catch {
                result = .failure(error)
            }
            await database.close()
            return try result.get()
        } catch {
            throw .application(Application.Fault(error))
        }
    }
}
