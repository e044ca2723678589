import StorageTesting
import Tables
import Testing

@testable import SQLiteStorage

@Suite("Functions of a connection") struct FunctionTests {
    @Test func `take texts of any length and of any kind`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        var functions: [(name: String, arguments: Int)] = []
        try connection.query("SELECT DISTINCT name, narg FROM pragma_function_list WHERE name LIKE 'zumod%'") { row in
            functions.append((row.string(at: 0), Int(row.integer(at: 1))))
        }
        #expect(functions.count > 20)
        // What other programs write into columns that zumod calculates with may be longer than anything it writes itself.
        for text in ["printf('%.100000c', '7')", "printf('%.70000c', 'x')", "''", "x'00ff'", "1e308", "NULL"] {
            for (name, count) in functions {
                let arguments = Array(repeating: text, count: count).joined(separator: ", ")
                // An answer or an error: what counts is that the next one is still asked.
                do { try connection.run("SELECT \(name)(\(arguments))") } catch TableError.closed {
                    Issue.record("\(name) of \(text) closed the connection")
                } catch {}
            }
        }
        try connection.run("SELECT 1")
    }

    @Test func `a sum with a text that is no decimal is null`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        let sum = "SELECT zumod_decimal_add(printf('%.70000c', 'x'), '1') IS NULL, zumod_decimal_add('2.5', '1')"
        var sums: [String] = []
        try connection.query(sum) { row in sums += [row.string(at: 0), row.string(at: 1)] }
        #expect(sums == ["1", "3.5"])
    }
}
