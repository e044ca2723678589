import Arguments
import ServerApp

/// `zumod table`: the tables of the database.
enum TableCommand {
    static let command = Command(
        "table", "Looks at tables, tends them, and takes over those that other programs made.",
        [List.command, Show.command, Create.command, Purge.command])

    /// `zumod table list`: one line per table.
    struct List: Sendable {
        var common = CommonOptions()

        static let command = Command(
            "list", "Says which tables a server would serve.", List(), CommonOptions.parameters.within(\.common)
        ) { try await $0.run() }

        func run() async throws {
            let application = Application(try common.configuration())
            for line in try await application.check().tables { print(line) }
        }
    }

    /// `zumod table show NAME`: everything about one table.
    struct Show: Sendable {
        var name = ""
        var common = CommonOptions()

        static let command = Command(
            "show", "Says what a table holds, and who may do what.", Show(),
            [.argument("name", "The table, in any case.", to: \.name)] + CommonOptions.parameters.within(\.common)
        ) { try await $0.run() }

        func run() async throws {
            let application = Application(try common.configuration())
            for line in try await application.describe(name) { print(line) }
        }
    }

    /// `zumod table create NAME --adopt`: takes over a table that another program made.
    struct Create: Sendable {
        var name = ""
        var adopt = false
        var yes = false
        var common = CommonOptions()

        static let command = Command(
            "create", "Makes a table of another program one of zumod's.",
            discussion: """
                Says what would be done, as SQL, and does it with --yes: the table gains the system columns that it
                lacks, triggers and an index. Its own columns and rows stay. Only on PostgreSQL.
                """,
            Create(),
            [
                .argument("name", "The table, in any case.", to: \.name),
                .flag("adopt", "The table is there already, with its rows.", to: \.adopt),
                .flag("yes", "Do it.", to: \.yes),
            ] + CommonOptions.parameters.within(\.common),
            check: { try $0.check() }, run: { try await $0.run() })

        func check() throws(CommandEnd) {
            guard adopt else {
                throw .wrongUsage(
                    "a new table is made by its file in config/tables; --adopt takes over one that is in the database")
            }
        }

        func run() async throws {
            let configuration = try common.configuration()
            let adoption = try await TableAdoption(of: name, by: configuration)
            for line in adoption.lines { print(line) }
            guard yes else {
                print("Nothing was changed; --yes does it.")
                return
            }
            try await adoption.perform()
            print("Done.")
        }
    }

    /// `zumod table purge NAME --older-than 30d`: removes old tombstones.
    struct Purge: Sendable {
        var name = ""
        var olderThan = ""
        var dryRun = false
        var clockIsRight = false
        var common = CommonOptions()

        static let command = Command(
            "purge", "Removes the tombstones of rows that were deleted long ago.",
            discussion: """
                A device that was away for longer never learns of these deletes. Live rows stay. A server may run \
                meanwhile; to have it purge by itself, set tombstones: { keepDays: 30 } in the table's file.
                """,
            Purge(),
            [
                .argument("name", "The table, in any case.", to: \.name),
                .option("older-than", "time", "Their least age: a number with s, m, h or d.", to: \.olderThan),
                .flag("dry-run", "Counts them and removes none.", to: \.dryRun),
                .flag(
                    "clock-is-right", "However far it is ahead of what the database knows.", to: \.clockIsRight),
            ] + CommonOptions.parameters.within(\.common)
        ) { try await $0.run() }

        func run() async throws {
            let purge = try TombstonePurge(of: name, olderThan: olderThan, isClockRight: clockIsRight)
            let configuration = try common.configuration()
            print(try await purge.run(on: configuration, isTrial: dryRun))
        }
    }
}
