import Foundation
import JSONText
import Operating
import Platform
import Scalars
import Tables

/// The first rows of a table: a list in its definition, or an accompanying file with one JSON object per line.
struct SeedDeclaration {
    private(set) var rows: [[Property]] = []
    private(set) var faults: [ConfigurationFault] = []
    /// The table that rows are checked against.
    var table: Table

    mutating func read(_ list: ConfigurationValue) {
        var items: [ConfigurationValue] = []
        faults += .of(items = try list.list())
        for item in items { faults += .of(try append(item)) }
    }

    mutating func read(fileNamed name: String, in directory: String, for value: ConfigurationValue) {
        guard name.hasSuffix(".jsonl"), !name.contains("/") else {
            return faults.append(value.mismatch("a list of rows, or the name of a .jsonl file beside this one"))
        }
        guard !ReadObstacle.isAbsent("\(directory)/\(name)") else {
            return faults.append(value.fault("there is no file \(directory)/\(name)"))
        }
        read(linesOf: "\(directory)/\(name)")
    }

    mutating func read(linesOf path: String) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            return faults.append(OperatorFiles.fault(of: path))
        }
        // By bytes: a text in a row may contain Unicode line separators.
        let lines = Array(text.utf8).split(separator: 10, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) {
            append(line: Array(line), at: .file(path, line: index + 1))
        }
    }

    private mutating func append(line: [UInt8], at origin: Origin) {
        do throws(JSONError) {
            guard case .object(let members) = try JSONReader.parse(line) else {
                return faults.append(ConfigurationFault(origin, key: nil, "has to be one JSON object, a row"))
            }
            var row: [Property] = []
            for member in members {
                guard let value = Self.value(of: member.value) else {
                    return faults.append(ConfigurationFault(origin, key: member.name, Self.nested))
                }
                row.append(Property(member.name, value))
            }
            append(row, at: origin, key: nil)
        } catch {
            faults.append(ConfigurationFault(origin, key: nil, "is not JSON, see column \(error.offset + 1)"))
        }
    }

    private mutating func append(_ item: ConfigurationValue) throws(ConfigurationFault) {
        var row: [Property] = []
        for member in try item.members() { row.append(Property(member.name, try Self.value(of: member.value))) }
        append(row, at: item.origin, key: item.key)
    }

    /// Checks a row as an insert would. Columns added by dynamic schema apply to the following rows.
    private mutating func append(_ row: [Property], at origin: Origin, key: String?) {
        if let former = row.first(where: { SystemColumn(formerly: $0.name) != nil })?.name {
            faults.append(
                ConfigurationFault(
                    origin, key: key,
                    "`\(former)` is a column of the server's, by the name of Mobile Services: a seed row says its id and the "
                        + "table's own columns; `zumod import` takes rows with such columns"))
            return
        }
        do throws(TableError) {
            let own = row.filter { SystemColumn(named: $0.name) != .id }
            let columns = try table.changes(from: own, for: .insert).newColumns
            if !columns.isEmpty { table = table.adding(columns) }
            rows.append(row)
        } catch {
            faults.append(ConfigurationFault(origin, key: key, error.rowSentence))
        }
    }

    /// Converts a cell by the rules of JSON; a plain YAML word that isn't a number, Boolean or null is a text.
    private static func value(of written: ConfigurationValue) throws(ConfigurationFault) -> Value {
        switch written.form {
        case .empty: return .null
        case .text(let text, quoted: true): return .text(text)
        case .text(let text, quoted: false):
            if text == "true" { return .boolean(true) }
            if text == "false" { return .boolean(false) }
            // Swift's own conversions also accept hexadecimal digits, `inf` and `nan`.
            guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return .text(text) }
            if let whole = Int64(text) { return .integer(whole) }
            if let number = DecimalNumber(text), number.double.isFinite { return .decimal(number) }
            if let number = Double(text), number.isFinite { return .number(number) }
            return .text(text)
        case .list, .members: throw written.fault(nested)
        }
    }

    private static func value(of json: JSONValue) -> Value? {
        switch json {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .precise(let text, let value): DecimalNumber(text).map(Value.decimal) ?? .number(value)
        case .string(let value): .text(value)
        case .array, .object: nil
        }
    }

    private static let nested = "has to be a text, a number, true, false or null"
}
