import Access
import Tables
import Testing

@Suite("Levels")
struct AccessMatrixTests {
    static let user = Principal.User(id: "sid:1")
    static let principals: [Principal] = [.anonymous, .application, .user(user), .admin(nil), .admin(user)]

    /// The decisions for `principals`, in their order.
    static let matrix: [(AccessLevel, [AccessDecision])] = [
        (.anonymous, [.allowed, .allowed, .allowed, .allowed, .allowed]),
        (.application, [.unauthorized, .allowed, .allowed, .allowed, .allowed]),
        (.authenticated, [.unauthorized, .unauthorized, .allowed, .allowed, .allowed]),
        (.admin, [.unauthorized, .unauthorized, .unauthorized, .allowed, .allowed]),
        (.disabled, [.disabled, .disabled, .disabled, .disabled, .disabled]),
    ]

    @Test(arguments: matrix)
    func `a level admits those who hold it`(level: AccessLevel, decisions: [AccessDecision]) {
        #expect(Self.principals.map { level.decision(for: $0) } == decisions)
    }

    @Test func `the matrix has every level`() {
        #expect(Self.matrix.map(\.0) == AccessLevel.allCases)
    }

    @Test(arguments: ["anonymous", "application", "authenticated", "admin", "disabled"])
    func `levels are spelled as in table files`(word: String) {
        #expect(AccessLevel(rawValue: word)?.rawValue == word)
    }

    @Test(arguments: ["Anonymous", "public", "user", "", "none"])
    func `other words are no levels`(word: String) {
        #expect(AccessLevel(rawValue: word) == nil)
    }

    @Test(arguments: Operation.allCases)
    func `without rules everybody may do everything`(operation: Operation) {
        #expect(AccessRules().decision(on: operation, for: .anonymous) == .allowed)
    }

    @Test func `the level of an operation wins over the one of the table`() {
        let rules = AccessRules(everyOperation: .authenticated, perOperation: [.read: .anonymous, .delete: .admin])
        let decisions = Operation.allCases.map { rules.decision(on: $0, for: .anonymous) }
        #expect(decisions == [.allowed, .unauthorized, .unauthorized, .unauthorized, .unauthorized])
        #expect(rules.decision(on: .update, for: .user(Self.user)) == .allowed)
        #expect(rules.decision(on: .delete, for: .user(Self.user)) == .unauthorized)
    }

    @Test func `disabling delete leaves undelete as it was`() {
        let rules = AccessRules(perOperation: [.delete: .disabled])
        #expect(rules.decision(on: .delete, for: .admin(nil)) == .disabled)
        #expect(rules.decision(on: .undelete, for: .anonymous) == .allowed)
    }

    @Test func `an operation can be open in a disabled table`() {
        let rules = AccessRules(everyOperation: .disabled, perOperation: [.read: .anonymous])
        for operation in [Operation.insert, .update, .delete, .undelete] {
            #expect(rules.decision(on: operation, for: .admin(nil)) == .disabled)
        }
        #expect(rules.decision(on: .read, for: .anonymous) == .allowed)
    }
}
