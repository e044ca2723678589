import HTTPModel
import JSONText

extension Checks {
    static let values: [Check] =
        [
            roundTrip("text", "Text comes back as it was.", .text, ["tea", "a \"quoted\" \\ word", "50% _ [x] it's"]),
            roundTrip(
                "unicode", "Text of every script comes back as it was.", .text,
                ["Grüße, 日本語, עברית, Ελληνικά, e\u{301}"]),
            roundTrip("emoji", "Emoji come back as they were.", .text, ["😀 👩‍👩‍👧 🇩🇪"]),
            roundTrip("lines", "Line ends, tabs and blanks come back as they were.", .text, ["a\nb\r\n\tc  ", "  "]),
            roundTrip("markup", "Text that looks like markup comes back as it was.", .text, ["<b>&amp;</b> 'x' {{y}}"]),
            roundTrip("long-text", "A text of ten thousand letters comes back whole.", .text, [.string(longText)]),
            roundTrip(
                "integers", "Whole numbers come back as they were.", .integer,
                [0, 1, -1, 2_147_483_647, -2_147_483_648]),
            roundTrip(
                "large-integers", "Whole numbers are exact to 53 bits.", .integer,
                [9_007_199_254_740_991, -9_007_199_254_740_991, 1_234_567_890_123]),
            roundTrip(
                "int64", "Whole numbers of 64 bits are exact to the last digit.", .int64,
                [9_223_372_036_854_775_807, -9_223_372_036_854_775_808, 9_007_199_254_740_993]),
            roundTrip(
                "doubles", "Numbers come back with all their digits.", .number,
                [0.1, -2.5, 3.141592653589793, 0.30000000000000004]),
            roundTrip(
                "huge-doubles", "Very large and very small numbers come back as they were.", .number,
                [1.234e123, -1.5e-7, 2.5e300]),
            roundTrip("booleans", "True and false come back as they were.", .boolean, [true, false]),
            roundTrip("zero-and-false", "Zero is a number, and no null.", .number, [0]),
            roundTrip(
                "dates", "Dates come back to the millisecond, in UTC and with Z.", .date,
                [
                    "2001-02-03T04:05:06.789Z", "1969-12-31T23:59:59.999Z", "2024-02-29T12:00:00.001Z",
                    "9999-12-31T23:59:59.999Z",
                ]),
            roundTrip(
                "dates-of-whole-seconds", "Dates of whole seconds come back as that time.", .date,
                ["2001-02-03T04:05:06.000Z"]),
            roundTrip("null-dates", "A date may be null.", .date, [nil]),
        ] + others

    private static let longText = String(repeating: "Lorem ipsum €. ", count: 667)

    /// Each value in a row of its own: as the insert answers it, as a read does, and as a list does.
    private static func roundTrip(_ name: String, _ rule: String, _ kind: ColumnKind, _ values: [JSONValue]) -> Check {
        Check(name, rule) { context in
            let column = try context.column(kind)
            let text = try context.column(.text)
            // The check's own rows are told by the text's beginning.
            let values = kind == .text ? values.map { .string("\(context.mark) \($0.textValue ?? "")") } : values
            for sent in values {
                var members = [JSONMember("id", .string(context.newID())), JSONMember(column, sent)]
                if kind != .text { members.append(JSONMember(text, .string("\(context.mark) value"))) }
                let answer = try await context.send(
                    context.request(.post, context.path(), body: JSONValue.object(members).json))
                try answer.expect(answer.isSuccess, "an insert of \(short(sent))", came: "status \(answer.status)")
                let row = try answer.row()
                try answer.expect(same(row[column], sent), "\(short(sent)) in the answer", came: short(row[column]))
                let found = try await context.row(row.id)[column]
                try context.expect(same(found, sent), "\(short(sent)) at a read", came: short(found))
            }
            let listing = try await context.listed([("$orderby", "id")])
            let listed = listing.rows.map { $0[column] ?? .null }
            try listing.expect(
                listed.count == values.count && values.allSatisfy { value in listed.contains { same($0, value) } },
                "the same values in a list", came: short(.array(listed)))
        }
    }

    /// Whether a value is what was sent; dates go by their time, if they are of the form that clients read.
    private static func same(_ found: JSONValue?, _ sent: JSONValue) -> Bool {
        guard let found else { return false }
        if case .string(let text) = sent, isWireDate(text), let other = found.textValue {
            return isWireDate(other) && comparable(other) == comparable(text)
        }
        // Of equal letters some are written in two ways, which are two texts.
        if let text = sent.textValue { return found.textValue.map { $0.utf8.elementsEqual(text.utf8) } ?? false }
        return found.says(sent)
    }

    private static func short(_ value: JSONValue?) -> String {
        guard let value else { return "no member" }
        let text = value.json
        return text.count > 120 ? "\(text.prefix(120))… (\(text.count) characters)" : text
    }

    private static let others: [Check] = [
        .ofRow("empty-text", "An empty text is a text, and no null.") { context, row in
            try await context.update(row.id, .text("")).expect(status: 200)
            let found = try await context.row(row.id)[context.column(.text)]
            try context.expect(found == "", #""""#, came: short(found))
        },
        .ofRow("null-text", "A text may be null, and no empty text.") { context, row in
            try await context.update(row.id, .none(.text)).expect(status: 200)
            let found = try await context.row(row.id)[context.column(.text)]
            try context.expect(found == .null, "null", came: short(found))
        },
        Check("an-offset", "A date that is sent with an offset comes back in UTC.") { context in
            let row = try await context.made(.date("2001-02-03T06:05:06.789+02:00"))
            let found = try await context.row(row.id)[context.column(.date)]
            try context.expect(same(found, "2001-02-03T04:05:06.789Z"), "2001-02-03T04:05:06.789Z", came: short(found))
        },
        .ofRow("updates-keep-them-too", "What an update sets comes back as an insert's value does.") { context, row in
            let cells: [Cell] = [context.text("😀"), .number(0.1), .flag(true), .integer(9_007_199_254_740_991)]
            let sent = cells.filter { context.target.columns[$0.kind] != nil }
            try await context.send(context.updating(row.id, sent)).expect(status: 200)
            let found = try await context.row(row.id)
            for cell in sent {
                let name = try context.column(cell.kind)
                try context.expect(
                    same(found[name], cell.value), "\(name): \(cell.value.json)", came: short(found[name]))
            }
        },
    ]
}
