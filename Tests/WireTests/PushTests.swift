import JSONText
import SeedTesting
import SyncTesting
import Testing
import WireTesting

@Suite struct `Pushing what was changed offline` {
    @Test(arguments: ClientKind.served, TestDatabase.all)
    func `a change whose answer was lost is pushed again, and is there once`(
        _ kind: ClientKind, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            for choice in [SyncClient.Choice.serverWins, .clientWins] {
                let client = kind.client(of: server, choice: choice)
                func pushTwice() throws {
                    client.connection.losesNextAnswer = true
                    #expect(throws: SyncFailure.connectionLost) { try client.push() }
                    #expect(client.hasPendingOperations)
                    try client.push()
                    #expect(!client.hasPendingOperations)
                }
                client.insert("kept-\(choice)", ["text": .string("new"), "complete": .boolean(true)])
                try pushTwice()
                client.update("kept-\(choice)", ["text": .string("newer")])
                try pushTwice()
                client.insert("deleted-\(choice)", ["text": .string("new"), "complete": .boolean(false)])
                try client.push()
                client.delete("deleted-\(choice)")
                try pushTwice()
                try client.pull()
                let rows = try ServerRows(of: "todo", port: server.port)
                #expect(rows.differences(from: client.rows) == [])
                #expect(rows.live["kept-\(choice)"]?.columns["text"] == .string("newer"))
                #expect(rows.live["kept-\(choice)"]?.columns["complete"] == .boolean(true))
                #expect(rows.live["deleted-\(choice)"] == nil)
            }
        }
    }

    /// What two clients do with one row while both are offline, and what the row's text is afterwards.
    struct Conflict: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether both have the row from before.
        let isKnown: Bool
        let first: Change
        let second: Change

        enum Change: Sendable {
            case insert, update, delete
        }

        static let all = [
            Conflict(testDescription: "both change it", isKnown: true, first: .update, second: .update),
            Conflict(testDescription: "one deletes, one changes it", isKnown: true, first: .delete, second: .update),
            Conflict(testDescription: "one changes, one deletes it", isKnown: true, first: .update, second: .delete),
            Conflict(testDescription: "both delete it", isKnown: true, first: .delete, second: .delete),
            Conflict(testDescription: "both insert it", isKnown: false, first: .insert, second: .insert),
        ]
    }

    @Test(arguments: Conflict.all, TestDatabase.all)
    func `two clients of any libraries end with one row`(_ conflict: Conflict, on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            try Editor(port: server.port).insert(0)
            for (index, kind) in ClientKind.served.enumerated() {
                let other = ClientKind.served[(index + 1) % ClientKind.served.count]
                for choice in [SyncClient.Choice.serverWins, .clientWins] {
                    try Self.play(conflict, kind, other, choice, on: server, row: "row-\(index)-\(choice)")
                }
            }
        }
    }

    private static func play(
        _ conflict: Conflict, _ kind: ClientKind, _ other: ClientKind, _ choice: SyncClient.Choice,
        on server: TestServer, row: String
    ) throws {
        let first = kind.client(of: server)
        let second = other.client(of: server, choice: choice)
        // Datasync asks for tombstones only when a pull has brought it a row.
        for client in [first, second] { try client.pull() }
        if conflict.isKnown {
            first.insert(row, ["text": .string("old"), "complete": .boolean(false)])
            try first.push()
            try second.pull()
        }
        change(first, row, conflict.first, "first")
        change(second, row, conflict.second, "second")
        try first.push()
        try second.push()
        for client in [first, second] {
            try client.pull()
            let rows = try ServerRows(of: "todo", port: server.port)
            #expect(rows.differences(from: client.rows) == [], "\(client.kind)")
            let expected = text(conflict, choice, of: other)
            #expect(rows.live[row]?.columns["text"] == expected, "\(kind), then \(other), \(choice)")
        }
    }

    private static func change(_ client: SyncClient, _ row: String, _ change: Conflict.Change, _ text: String) {
        switch change {
        case .insert: client.insert(row, ["text": .string(text), "complete": .boolean(true)])
        case .update: client.update(row, ["text": .string(text)])
        case .delete: client.delete(row)
        }
    }

    /// - Returns: nil where the row is deleted in the end.
    private static func text(_ conflict: Conflict, _ choice: SyncClient.Choice, of second: ClientKind) -> JSONValue? {
        switch (choice, conflict.first, conflict.second) {
        case (_, .delete, .delete): nil
        case (.serverWins, .delete, _): nil
        case (.serverWins, _, _): .string("first")
        case (.clientWins, _, .delete): nil
        // Its offline part can't undelete.
        case (.clientWins, .delete, _) where second == .toolkit: nil
        case (.clientWins, _, _): .string("second")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `clients of every library that write the same rows at once end with one copy`(
        on database: TestDatabase
    ) async throws {
        let seed = SeededGenerator.printedSeed(of: "pushing from all libraries on \(database)")
        try await TestServer.with(on: database) { server in
            try Editor(port: server.port).insert(0)
            let count = ClientKind.served.count
            let quiet = Meeting(count)
            let copies = try await inParallel(count) { index in
                let kind = ClientKind.served[index]
                var generator = SeededGenerator(seed: seed &+ UInt64(index))
                let client = kind.client(of: server, choice: index % 2 == 0 ? .serverWins : .clientWins)
                try quiet.attend {
                    try client.pull()
                    for round in 0..<25 {
                        let row = "shared-\(Int.random(in: 0..<4, using: &generator))"
                        let text = JSONValue.string("\(kind) in round \(round)")
                        switch (client.rows[row], Int.random(in: 0..<4, using: &generator)) {
                        case (nil, _): client.insert(row, ["text": text, "complete": .boolean(false)])
                        case (_, 0): client.delete(row)
                        case (_, _): client.update(row, ["text": text])
                        }
                        client.insert("own-\(index)-\(round)", ["text": text, "complete": .boolean(true)])
                        client.connection.losesNextAnswer = round % 5 == 0
                        while client.hasPendingOperations {
                            do throws(SyncFailure) {
                                try client.push()
                            } catch .connectionLost {}
                        }
                        if round % 3 == 0 { try client.pull() }
                    }
                }
                try client.pull()
                return (kind, client.rows)
            }
            let rows = try ServerRows(of: "todo", port: server.port)
            #expect(rows.live.keys.count { $0.hasPrefix("own-") } == count * 25)
            for (kind, copy) in copies { #expect(rows.differences(from: copy) == [], "\(kind)") }
        }
    }
}
