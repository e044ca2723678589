import JSONText
import Scalars
import Tables
import Testing

@testable import Transfer

@Suite struct `The server's columns in imported rows` {
    /// A table with one column of text.
    private func table(with column: String = "text") throws -> Table {
        let name = try #require(Identifier("TodoItem"))
        return Table(name: name, columns: [Column(try #require(Identifier(column)), .string)], rules: TableRules())
    }

    private func row(_ json: String, in table: Table? = nil) throws -> ImportRow {
        guard case .object(let members) = try JSONReader.parse(Array(json.utf8)) else { throw JSONNone() }
        var maker = RowBuilder(try table ?? self.table())
        return try maker.row(members.map { TransferReader.Cell(name: $0.name, value: .json($0.value)) })
    }

    private func row(csv cells: [(String, String?)]) throws -> ImportRow {
        var maker = RowBuilder(try table())
        return try maker.row(cells.map { TransferReader.Cell(name: $0.0, value: .text($0.1)) })
    }

    private struct JSONNone: Error {}

    @Test(arguments: ["__", "ms_", "", "MS_"], [false, true])
    func `are known by the names of every store`(_ prefix: String, isUpper: Bool) throws {
        func name(_ column: String) -> String { prefix + (isUpper ? column.uppercased() : column) }
        let json = """
            {"id":"a","\(name("createdAt"))":"2014-05-12T10:11:12.1234567+02:00","\(name("updatedAt"))":\
            "2014-05-13T10:11:12.000Z","\(name("version"))":"AAAAAAAAB9E=","\(name("deleted"))":true,"text":"tea"}
            """
        let row = try row(json)
        #expect(row.createdAt?.wireText == "2014-05-12T08:11:12.123Z")
        #expect(row.updatedAt?.wireText == "2014-05-13T10:11:12.000Z")
        #expect(row.version == Version(counter: 2001) && row.isDeleted)
        #expect(row.assignments.map(\.column.name.text) == ["text"])
    }

    @Test func `are known as tools of SQL Server write them`() throws {
        let row = try row(csv: [
            ("id", "a"), ("__createdAt", "2014-03-05 21:01:32.3630000 +00:00"),
            ("__updatedAt", "2014-03-05 21:01:32.3630000 -01:00"), ("__version", "0x00000000000007D1"),
            ("__deleted", "True"),
        ])
        #expect(row.createdAt?.wireText == "2014-03-05T21:01:32.363Z")
        #expect(row.updatedAt?.wireText == "2014-03-05T22:01:32.363Z")
        #expect(row.version == Version(counter: 2001) && row.isDeleted)
        #expect(try self.row(#"{"id":"a","__deleted":1}"#).isDeleted)
    }

    @Test(arguments: [
        #"{"id":"a","ms_deleted":false,"__deleted":true}"#, #"{"id":"a","__deleted":true,"__Deleted":false}"#,
        #"{"id":"a","ms_deleted":true,"deleted":false}"#,
        #"{"id":"a","version":"AAAAAAAAB9E=","ms_version":"AAAAAAAAB9I="}"#,
        #"{"id":"a","ms_updatedAt":"2014-05-13T10:11:12Z","__updatedAt":"2014-05-13T10:11:13Z"}"#,
        #"{"id":"a","createdAt":"2014-05-13T10:11:12Z","CreatedAt":"2014-05-13T10:11:13Z"}"#,
    ])
    func `by two names that say different things are refused`(_ json: String) {
        let fault = #expect(throws: RowBuilder.Fault.self) { try row(json) }
        #expect(fault?.sentence.contains("say different things") == true)
    }

    @Test func `by two names that agree are one, and one that says nothing doesn't count`() throws {
        let row = try row(
            #"{"id":"a","ms_deleted":true,"__deleted":1,"ms_version":null,"__version":"AAAAAAAAB9E="}"#)
        #expect(row.isDeleted && row.version == Version(counter: 2001) && row.createdAt == nil)
        #expect(try self.row(#"{"id":"a","ms_deleted":true,"deleted":null}"#).isDeleted)
        #expect(throws: RowBuilder.Fault.self) { try self.row(#"{"id":"a","ID":"b"}"#) }
    }

    @Test func `beside two values of an app's own column, which have to agree too, are refused`() throws {
        for json in [#"{"id":"a","text":"b","text":"c"}"#, #"{"id":"a","text":"b","n":1,"Text":null}"#] {
            let fault = #expect(throws: RowBuilder.Fault.self) { try row(json) }
            #expect(fault?.sentence.contains("different things") == true)
        }
        #expect(try row(#"{"id":"a","text":"b","other":null,"Text":"b"}"#).assignments.map(\.value) == [.text("b")])
    }

    @Test func `are an app's own by plain names beside those of Mobile Services`() throws {
        let json = #"{"id":"a","deleted":"no","__updatedAt":"2014-05-13T10:11:12Z","Version":"1.0","createdAt":null}"#
        let row = try row(json)
        #expect(!row.isDeleted && row.version == nil && row.updatedAt?.wireText == "2014-05-13T10:11:12.000Z")
        #expect(row.assignments.map(\.column.name.text) == ["__own_deleted", "__own_Version"])
        #expect(row.assignments.map(\.value) == ["no", "1.0"])
        // One that is there takes the texts of a file without types as its own.
        var maker = RowBuilder(try table(with: "__own_createdat"))
        let cells = [("id", "a"), ("__version", "0x00000000000007D1"), ("createdAt", "long ago")]
        let read = try maker.row(cells.map { TransferReader.Cell(name: $0.0, value: .text($0.1)) })
        #expect(read.createdAt == nil && read.assignments.map(\.value) == ["long ago"] && maker.newColumns.isEmpty)
    }

    @Test func `make no deleted row live again where a plain name says that it is deleted`() throws {
        for json in [
            #"{"id":"a","__deleted":false,"deleted":true}"#, #"{"id":"a","DELETED":1,"__createdAt":null}"#,
            #"{"id":"a","__deleted":null,"deleted":true}"#,
        ] {
            let fault = #expect(throws: RowBuilder.Fault.self) { try row(json) }
            #expect(fault?.sentence.contains("rename it to `__own_") == true)
        }
        #expect(throws: RowBuilder.Fault.self) {
            try self.row(csv: [("id", "a"), ("__version", "0x00000000000007D1"), ("deleted", "True")])
        }
        let deleted = try row(#"{"id":"a","deleted":true,"__deleted":1}"#)
        #expect(deleted.isDeleted && deleted.assignments.map(\.value) == [true])
        let live = try row(#"{"id":"a","__deleted":false,"__own_deleted":true}"#)
        #expect(!live.isDeleted && live.assignments.map(\.column.name.text) == ["__own_deleted"])
        #expect(try !row(#"{"id":"a","__deleted":false,"deleted":false}"#).isDeleted)
    }

    @Test func `are the server's by plain names in an export, whatever stands beside them`() throws {
        var maker = RowBuilder(try table(with: "__own_deleted"), namedAsHere: true)
        let cells: [(String, JSONValue)] = [
            ("id", "a"), ("deleted", true), ("__deleted", true), ("__own_deleted", "x"),
        ]
        let row = try maker.row(cells.map { TransferReader.Cell(name: $0.0, value: .json($0.1)) })
        #expect(row.isDeleted && row.assignments.map(\.value) == ["x"])
    }

    @Test(arguments: [
        #"{"id":"a","__deleted":"perhaps"}"#, #"{"id":"a","__version":7}"#, #"{"id":"a","__updatedAt":5}"#,
    ])
    func `that can't be read are refused rather than made columns`(_ json: String) {
        #expect(throws: RowBuilder.Fault.self) { try row(json) }
    }

    @Test func `are a table's own where it has one by the name of a device's store`() throws {
        let table = try table(with: "ms_version")
        let row = try row(#"{"id":"a","ms_version":"1.2","__id":"x","_deleted":true}"#, in: table)
        #expect(row.version == nil && !row.isDeleted)
        #expect(Set(row.assignments.map(\.column.name.text)) == ["ms_version", "__id", "_deleted"])
    }
}
