import JSONText
import Scalars
import Tables
import Testing

@testable import Transfer

@Suite struct `Values of files that other programs wrote` {
    private func value(_ text: String, _ type: ColumnType, isJSON: Bool = false) throws -> Value {
        let (name, column) = (try #require(Identifier("TodoItem")), try #require(Identifier("value")))
        var builder = RowBuilder(Table(name: name, columns: [Column(column, type)], rules: TableRules()))
        let cell = TransferReader.Cell(name: "value", value: isJSON ? .json(.string(text)) : .text(text))
        let row = try builder.row([TransferReader.Cell(name: "id", value: .text("a")), cell])
        return try #require(row.assignments.first?.value)
    }

    @Test(arguments: [false, true]) func `are dates as SQL Server writes them`(isJSON: Bool) throws {
        for (text, expected) in [
            ("2014-05-01 12:34:56.1234567 +00:00", "2014-05-01T12:34:56.123Z"),
            ("2014-05-01 12:34:56 +02:00", "2014-05-01T10:34:56.000Z"),
            ("2014-05-01 12:34:56.1230000 -01:30", "2014-05-01T14:04:56.123Z"),
            ("2014-05-01 12:34:56.123", "2014-05-01T12:34:56.123Z"), ("2014-05-01", "2014-05-01T00:00:00.000Z"),
        ] {
            #expect(try value(text, .date, isJSON: isJSON) == .date(try #require(Instant(expected))), "\(text)")
        }
        #expect(try value("2014-05-01 12:34:56 +02:00", .string, isJSON: isJSON) == "2014-05-01 12:34:56 +02:00")
        for text in ["1/5/2014 12:34", "2014-05-01 12:34:56 02:00 +00:00", "2014-05-01 12:34:56 UTC", "yesterday"] {
            #expect(throws: RowBuilder.Fault.self, "\(text)") { try value(text, .date, isJSON: isJSON) }
        }
    }

    @Test func `are null as PowerShell writes it, an empty text in quotes, but in columns of text`() throws {
        for type in ColumnType.allCases where type != .string {
            #expect(try value("", type) == .null, "\(type)")
        }
        #expect(try value("", .string) == "")
        #expect(throws: RowBuilder.Fault.self) { try value("", .date, isJSON: true) }
    }

    @Test func `are booleans as .NET and SQL Server write them`() throws {
        for text in ["True", "true", "TRUE", "1"] { #expect(try value(text, .boolean) == true) }
        for text in ["False", "false", "FALSE", "0"] { #expect(try value(text, .boolean) == false) }
        #expect(throws: RowBuilder.Fault.self) { try value("yes", .boolean) }
        // A text of JSON is a text.
        #expect(throws: RowBuilder.Fault.self) { try value("True", .boolean, isJSON: true) }
        #expect(try value("True", .string) == "True")
    }

    @Test func `are numbers without the zero before the point`() throws {
        #expect(try value(".50", .number) == .number(0.5))
        #expect(try value("-.50", .number) == .number(-0.5))
        #expect(try value("-.50", .decimal) == .decimal(try #require(DecimalNumber("-0.50"))))
        for text in [".", "-.", "-", "1,5", "..5"] {
            #expect(throws: RowBuilder.Fault.self, "\(text)") { try value(text, .number) }
            #expect(throws: RowBuilder.Fault.self, "\(text)") { try value(text, .decimal) }
        }
        let fault = #expect(throws: RowBuilder.Fault.self) { try value("12.0", .integer) }
        #expect(fault?.sentence == "`value` has to be an integer, not a string")
    }
}
