import ArgumentParser
import Operating
import ServerApp

/// `zumod table`: the tables of the database.
struct TableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Looks at tables, tends them, and takes over those that other programs made.",
        subcommands: [List.self, Show.self, Create.self, Purge.self]
    )

    /// `zumod table list`: a line for each.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Says which tables a server would serve.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let application = try TableCommand.application(common)
            do throws(StartFault) {
                for line in try await application.check() { print(line) }
            } catch {
                throw Exit.tell(error)
            }
        }
    }

    /// `zumod table show NAME`: all about one.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Says what a table holds, and who may do what.")

        @Argument(help: "The table, in any case.") var name: String

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let application = try TableCommand.application(common)
            do throws(StartFault) {
                for line in try await application.describe(name) { print(line) }
            } catch {
                throw Exit.tell(error)
            }
        }
    }

    /// `zumod table create NAME --adopt`: a table that another program made.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a table of another program one of zumod's.",
            discussion: """
                Says what would be done, as SQL, and does it with --yes: the table gains the system columns that it
                lacks, triggers and an index. Its own columns and rows stay. Only on PostgreSQL.
                """)

        @Argument(help: "The table, in any case.") var name: String

        @Flag(help: "The table is there already, with its rows.")
        var adopt = false

        @Flag(help: "Do it.") var yes = false

        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard adopt else {
                throw ValidationError(
                    "a new table is made by its file in config/tables; --adopt takes over one that is in the database")
            }
        }

        func run() async throws {
            let configuration = try common.configuration()
            do throws(StartFault) {
                let adoption = try await TableAdoption(of: name, by: configuration)
                for line in adoption.lines { print(line) }
                guard yes else {
                    print("Nothing was changed; --yes does it.")
                    return
                }
                try await adoption.perform()
                print("Done.")
            } catch {
                throw Exit.tell(error)
            }
        }
    }

    /// `zumod table purge NAME --older-than 30d`: what is left of deleted rows.
    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes the tombstones of rows that were deleted long ago.",
            discussion: """
                A device that was away for longer never learns of these deletes. Live rows stay. A server may run \
                meanwhile; to have it purge by itself, set tombstones: { keepDays: 30 } in the table's file.
                """)

        @Argument(help: "The table, in any case.") var name: String

        @Option(help: ArgumentHelp("Their least age: a number with s, m, h or d.", valueName: "time"))
        var olderThan: String

        @Flag(help: "Counts them and removes none.") var dryRun = false

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let purge: TombstonePurge
            do throws(CommandFault) {
                purge = try TombstonePurge(of: name, olderThan: olderThan)
            } catch {
                throw Exit.tell(error)
            }
            let configuration = try common.configuration()
            do throws(CommandFault) {
                print(try await purge.run(on: configuration, isTrial: dryRun))
            } catch {
                throw Exit.tell(error)
            }
        }
    }

    private static func application(_ common: CommonOptions) throws -> Application {
        Application(try common.configuration())
    }
}
