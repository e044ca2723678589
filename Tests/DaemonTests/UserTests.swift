import Foundation
import Testing
import WireTesting

/// `zumod user`, as an operator types it.
@Suite("Users", .ownThread)
struct UserTests {
    private static let stores = [false, true].filter { !$0 || SharedDatabase.server != nil }
    private static let settings = "auth: { signingKey: 00112233445566778899aabbccddeeff, providers: { local: } }\n"
    private static let mine = "columns: { text: string }\nsoftDelete: true\nperUser: true\n"
    private static let ruled =
        "columns: { owner: string, isShared: boolean }\nvisible: \"owner eq @userId or isShared eq true\"\n"

    /// A configuration and a database.
    private struct Place {
        let workplace: Workplace
        let shared: SharedDatabase?
        let database: [String]

        init(onPostgres: Bool = false) throws {
            workplace = try Workplace([
                "zumod.yaml": settings, "tables/Mine.yaml": mine, "tables/Ruled.yaml": ruled,
            ])
            shared = onPostgres ? try SharedDatabase() : nil
            database = shared.map { ["--database", $0.url] } ?? []
        }

        func user(_ arguments: String..., input: [UInt8] = Array("correct horse\n".utf8)) throws -> Workplace.Outcome {
            try user(arguments, input: input)
        }

        func user(_ arguments: [String], input: [UInt8] = Array("correct horse\n".utf8)) throws -> Workplace.Outcome {
            let process = workplace.process(["user"] + arguments + database)
            let pipe = Pipe()
            process.standardInput = pipe
            pipe.fileHandleForWriting.write(Data(input))
            try pipe.fileHandleForWriting.close()
            return try workplace.run(process)
        }

        func importRows(_ text: String, to table: String) throws {
            try workplace.write(text, to: "\(table).csv")
            #expect(try workplace.run(["import", "config/\(table).csv"] + database).code == 0)
        }

        /// The ids of live rows.
        func rows(of table: String) throws -> [String] {
            let export = try workplace.run(["export", "--table", table] + database).output
            return export.split(separator: "\n").filter { !$0.contains("\"deleted\":true") }.compactMap {
                $0.components(separatedBy: "\"id\":\"").dropFirst().first?.components(separatedBy: "\"").first
            }.sorted()
        }
    }

    @Test(arguments: stores)
    func `made anew under an old name is another, unless the operator says who`(onPostgres: Bool) throws {
        let place = try Place(onPostgres: onPostgres)
        #expect(try place.user("add", "ann").output == "")
        #expect(try place.user("add", "bob").output == "")
        try place.importRows("id,userId,text\na,Local:ann,x\nb,Local:bob,x\nc,Local:ann,x\n", to: "Mine")
        let removed = try place.user("remove", "ann")
        #expect(removed.code == 0)
        #expect(removed.output == "note: rows of ann stay (2 in Mine): --with-rows removes those too\n")

        let added = try place.user("add", "ann")
        #expect(added.code == 0)
        #expect(
            added.output.hasPrefix(
                "note: somebody had the name ann before; the new user is another one, with the id Local:ann#"))
        #expect(added.output.contains("the former one's rows (2 in Mine)") && added.output.contains("--inherit"))
        let list = try place.user("list").output.split(separator: "\n")
        #expect(list.count == 2)
        #expect(list[0].contains("\tLocal:ann#") && !list[1].contains("Local:"))

        // What the note says.
        #expect(try place.user("remove", "ann").output == "")
        #expect(try place.user("add", "ann", "--inherit").output.contains("whose rows the user sees (2 in Mine)"))
        #expect(try !place.user("list").output.contains("#"))
        #expect(try place.rows(of: "Mine") == ["a", "b", "c"])
        let nobody = try place.user("add", "eve", "--inherit")
        #expect(nobody.code == 64)
        #expect(nobody.errors.contains("nobody had the name eve before"))
        #expect(try !place.user("list").output.contains("eve"))
    }

    /// Earlier versions kept nothing of those whom they removed.
    @Test(arguments: stores) func `are another than the one whose rows are there`(onPostgres: Bool) throws {
        let place = try Place(onPostgres: onPostgres)
        try place.importRows("id,owner,isShared\na,Local:ann,false\nb,Local:bob,true\n", to: "Ruled")
        let added = try place.user("add", "ann")
        #expect(added.output.contains("Local:ann#") && added.output.contains("(1 in Ruled)"))
        #expect(try place.user("add", "eve").output == "")
    }

    @Test(arguments: stores) func `go with the rows that are theirs alone`(onPostgres: Bool) throws {
        let place = try Place(onPostgres: onPostgres)
        #expect(try place.user("add", "ann").code == 0)
        let many = (0..<450).map { "k\($0),Local:ann,x\n" }.joined()
        try place.importRows("id,userId,text\nb,Local:bob,x\nc,local:ann,x\n\(many)", to: "Mine")
        try place.importRows("id,owner,isShared\na,Local:ann,true\n", to: "Ruled")
        let removed = try place.user("remove", "ann", "--with-rows")
        #expect(removed.code == 0)
        #expect(removed.output.hasPrefix("450 rows of ann are gone\nnote: rows of ann stay (1 in Ruled)"))
        #expect(removed.output.contains("450 of them stay in Mine as tombstones, with all that they hold"))
        #expect(removed.output.contains("`zumod table purge Mine --older-than 30d`"))
        #expect(try place.rows(of: "Mine") == ["b", "c"])
        #expect(try place.rows(of: "Ruled") == ["a"])
        // What a removal left is removed by another.
        try place.importRows("id,userId,text\nz,Local:ann,x\n", to: "Mine")
        #expect(try place.user("remove", "ann", "--with-rows").output.hasPrefix("1 rows of ann are gone\n"))
        #expect(try place.user("remove", "eve", "--with-rows").code == 64)
        #expect(try place.user("remove", "ann").code == 64)
    }

    /// What a table of a project means is said by the project alone.
    @Test(arguments: stores) func `have rows in tables that no file names`(onPostgres: Bool) throws {
        let place = try Place(onPostgres: onPostgres)
        for (name, text) in ["app.js": Self.main, "tables/Notes.js": Self.notes] {
            let path = URL(filePath: "\(place.workplace.path)/project/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        #expect(try place.user("add", "ann").code == 0)
        // The table was served, and its file is gone now.
        try place.workplace.write("columns: { text: string, userId: string }\n", to: "tables/Notes.yaml")
        try place.importRows("id,userId,text\na,Local:ann,x\nb,Local:bob,x\n", to: "Notes")
        try FileManager.default.removeItem(atPath: "\(place.workplace.path)/config/tables/Notes.yaml")

        let unknown = try place.user("remove", "ann", "--with-rows").output
        #expect(unknown.hasPrefix("0 rows of ann are gone\nnote: rows with the id Local:ann stay (1 in Notes)"))
        #expect(try place.user("add", "ann", "--inherit").output.contains("whose rows the user sees (1 in Notes)"))
        let project = ["--app", "project"]
        #expect(try place.user(["remove", "ann", "--with-rows"] + project).output == "1 rows of ann are gone\n")
        #expect(try place.rows(of: "Notes") == ["b"])
        #expect(try place.user(["add", "ann", "--inherit"] + project).output.contains("of whom no rows are left"))
    }

    private static let main = """
        const app = require('express')();
        const mobile = require('azure-mobile-apps')();
        mobile.tables.import('./tables');
        app.use(mobile);
        app.listen(process.env.PORT);
        """
    private static let notes = """
        const table = require('azure-mobile-apps').table();
        table.perUser = true;
        module.exports = table;
        """

    @Test(arguments: stores) func `have names that are one to whoever reads them`(onPostgres: Bool) throws {
        let place = try Place(onPostgres: onPostgres)
        #expect(try place.user("add", " jos\u{E9} ").code == 0)
        for same in ["jos\u{E9}", "jose\u{301}", "jose\u{301}\t", "\u{A0}jos\u{E9}"] {
            let again = try place.user("add", same)
            #expect(again.code == 64)
            #expect(
                again.errors == "error: there is a user jos\u{E9} already; `zumod user passwd` changes a password\n")
        }
        #expect(try place.user("list").output.hasPrefix("jos\u{E9}\t"))
        #expect(try place.user("passwd", "jose\u{301}").code == 0)
        #expect(try place.user("revoke", "jos\u{E9} ").code == 0)
        for wrong in ["", "  ", "a\u{FEFF}b", "ann#0c9e41d7", "a\tb"] {
            #expect(try place.user("add", wrong).code == 64, "\(wrong)")
        }
        #expect(try place.user("remove", "jose\u{301}").code == 0)
        #expect(try place.user("list").output == "")
    }

    private static let passwords: [(bytes: [UInt8], words: String)] = [
        (Array("p\u{E4}sswort-lang\n".unicodeScalars.map { UInt8($0.value) }), "not in UTF-8"),
        ([0xEF, 0xBB, 0xBF] + Array("correct horse\n".utf8), "byte order mark"),
        ([0xFF, 0xFE] + "correct horse\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, "byte order mark"),
        ("correct horse\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, "control character"),
        (Array("correct\thorse\n".utf8), "control character"), ([], "no password"),
        (Array("short\n".utf8), "at least 8 characters"),
        (Array("e\u{301}e\u{301}e\u{301}e\u{301}\n".utf8), "at least 8 characters"),
    ]

    @Test(arguments: passwords.indices) func `get no password that nobody could type`(_ index: Int) throws {
        let place = try Place()
        let (bytes, words) = Self.passwords[index]
        let added = try place.user("add", "ann", input: bytes)
        #expect(added.code == 64)
        #expect(added.errors.contains(words))
        #expect(try place.user("list").output == "")
    }

    @Test func `get the password of a file with the line ends of Windows`() throws {
        let place = try Place()
        #expect(try place.user("add", "ann", input: Array("correct horse\r\n".utf8)).code == 0)
        #expect(try place.user("add", "bob", input: Array("correct horse".utf8)).code == 0)
    }
}
