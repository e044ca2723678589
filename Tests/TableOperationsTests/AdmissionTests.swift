import Access
import StorageTesting
import Tables
import Testing

@testable import TableOperations

@Suite struct `Who is admitted to a table` {
    struct Case: Sendable, CustomTestStringConvertible {
        let level: AccessLevel
        let caller: Principal
        let fault: String
        var testDescription: String { "\(level.rawValue), \(caller): \(fault)" }

        init(_ level: AccessLevel, _ caller: Principal, _ fault: String) {
            self.level = level
            self.caller = caller
            self.fault = fault
        }
    }

    @Test(arguments: [
        Case(.anonymous, .anonymous, ""), Case(.anonymous, Office.ann, ""),
        Case(.application, .anonymous, "unauthorized"), Case(.application, .application, ""),
        Case(.authenticated, .application, "unauthorized"), Case(.authenticated, Office.ann, ""),
        Case(.admin, Office.ann, "unauthorized"), Case(.admin, Office.master, ""),
        Case(.disabled, Office.master, "disabled"), Case(.disabled, .anonymous, "disabled"),
    ])
    func `is said by the level of each operation`(item: Case) throws {
        for operation in Operation.allCases {
            let office = try Office(access: AccessRules(perOperation: [operation: item.level]))
            for asked in Operation.allCases {
                let expected = asked == operation ? item.fault : ""
                var found = ""
                do throws(AdmissionFault) {
                    _ = try office.operations.admit(item.caller, to: asked, of: office.table)
                } catch {
                    switch error {
                    case .unauthorized: found = "unauthorized"
                    case .disabled(let named): found = named == asked ? "disabled" : "another operation"
                    }
                }
                #expect(found == expected, "\(asked) where \(operation) is for \(item.level)")
            }
        }
    }

    @Test func `is a user where rows have owners, whatever the level`() throws {
        var behaviour = TableBehaviour()
        behaviour.ownerColumn = "owner"
        let office = try Office(behaviour)
        for operation in Operation.allCases {
            for caller in [Principal.anonymous, .application] {
                #expect(throws: AdmissionFault.unauthorized) {
                    try office.operations.admit(caller, to: operation, of: office.table)
                }
            }
            for caller in [Office.ann, Office.master] {
                #expect(throws: Never.self) { try office.operations.admit(caller, to: operation, of: office.table) }
            }
        }
    }

    @Test func `a table of other rules is none of these`() throws {
        let office = try Office()
        let narrow = TableOperations(store: office.operations.store, access: [:], serves: { _ in false })
        #expect(narrow.table(named: "todo") == nil && narrow.tables().isEmpty)
        #expect(office.operations.tables().map(\.name.text) == ["todo"])
    }

    @Test func `code of the server's own is, and has its caller's rows or everybody's`() async throws {
        var behaviour = TableBehaviour()
        behaviour.ownerColumn = "owner"
        let office = try Office(behaviour, access: AccessRules(everyOperation: .disabled))
        let ann = ServerTables(office.operations, by: Office.ann)
        let bob = ServerTables(office.operations, by: Office.bob)
        try await ann["todo"].insert(["id": "1", "text": "hers"])
        try await bob["todo"].insert(["id": "2", "text": "his"])
        #expect(try await ann["todo"].list().compactMap(\.id) == ["1"])
        #expect(try await bob["todo"].find("1") == nil)
        #expect(try await bob.asServer["todo"].list().compactMap(\.id) == ["1", "2"])
    }
}
