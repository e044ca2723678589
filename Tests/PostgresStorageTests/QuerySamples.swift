import StorageTesting
import Tables

/// Rows at the edges of every type, and queries over them.
enum QuerySamples {
    static let definition = TableDefinition(
        name: "samples",
        columns: [
            Column("t", .string), Column("u", .string), Column("n", .number), Column("m", .number),
            Column("i", .integer), Column("j", .integer), Column("b", .boolean), Column("d", .date),
        ])

    static let rows: [[Property]] = {
        let texts: [String?] = [
            "milk", "MILK", "Milk ", "  milk", "", nil, "Éclair", "éclair", "ECLAIR", "straße", "STRASSE", "İstanbul",
            "ΟΔΟΣ", "οδος", "100%", "a_b", "a[b]", "2026-11-21", "2026-02-29", "2026-11-21T10:20:30.456+02:00",
            "x\u{1}y",
            "日本語", "😀 smile", "it's", "back\\slash", "K", "\u{212A}", "aaa", "AaA",
        ]
        let numbers: [Double?] = [
            0, 1, -1, 2.5, -2.5, 0.5, 1.5, 0.49999999999999994, 1e308, -1e308, 1e-308, .leastNonzeroMagnitude, 7, -7, 3,
            0.1, 0.3, nil,
            9_007_199_254_740_992, 1e18,
        ]
        let whole: [Int64?] = [0, 1, -1, 2, 3, 7, -7, .max, .min, 9_007_199_254_740_993, nil, 100]
        let dates: [String?] = [
            "2026-11-21T12:34:56.789Z", "1969-12-31T23:59:59.999Z", nil, "0001-01-01", "9999-12-31T23:59:59.999Z",
            "2024-02-29T00:00:00Z",
        ]
        return (0..<58).map { row in
            func text(_ value: String?) -> Value { value.map(Value.text) ?? .null }
            func number(_ value: Double?) -> Value { value.map(Value.number) ?? .null }
            func whole64(_ value: Int64?) -> Value { value.map(Value.integer) ?? .null }
            return [
                Property("t", text(texts[row % texts.count])), Property("u", text(texts[(row * 7 + 3) % texts.count])),
                Property("n", number(numbers[row % numbers.count])),
                Property("m", number(numbers[(row * 3 + 1) % numbers.count])),
                Property("i", whole64(whole[row % whole.count])),
                Property("j", whole64(whole[(row * 5 + 2) % whole.count])),
                Property("b", row % 3 == 0 ? .null : .boolean(row % 3 == 1)),
                Property("d", text(dates[row % dates.count])),
            ]
        }
    }()

    static let filters = [
        // Text.
        "t eq 'milk'", "t ne 'milk'", "t gt 'milk'", "t le 'éclair'", "t eq 'ÉCLAIR'", "t eq u", "t lt u", "t eq null",
        "t ne null", "null eq t", "t eq ''", "tolower(t) eq 'éclair'", "toupper(t) eq 'STRASSE'",
        "tolower(t) eq tolower(u)", "toupper(t) eq toupper('straße')", "startswith(t,'MI')", "startswith(t,'É')",
        "endswith(t,'K')", "endswith(t,'')", "endswith(t,'é')", "substringof('IL',t)", "substringof('%',t)",
        "substringof('_',t)", "substringof('[',t)", "substringof('',t)", "substringof(u,t)", "substringof('\\',t)",
        "indexof(t,'L') eq 2", "indexof(t,'É') eq 0", "indexof(t,'zz') eq -1", "indexof(t,'') eq 0",
        "indexof(t,u) ge 0",
        "length(t) eq 4", "length(t) gt 6", "length(concat(t,u)) gt 10", "substring(t,1) eq 'ilk'",
        "substring(t,1,2) eq 'il'", "substring(t,-1) eq 'milk'", "substring(t,99) eq ''", "substring(t,0,i) eq 'milk'",
        "substring(t,n) eq 'ilk'", "substring(t,i) ne null", "substring(t,1,n) eq null", "substring(t,1,j) eq 'i'",
        "trim(t) eq 'milk'", "trim(t) eq t",
        "replace(t,'I','o') eq 'molk'", "replace(t,'É','e') eq 'eclair'", "replace(t,'aa','b') eq 'ba'",
        "replace(t,'','x') eq 'milk'", "concat(t,u) gt 'm'", "concat(concat(t,', '),u) eq 'milk, milk'",
        "t eq 'straSSe'", "t eq 'i̇stanbul'", "t eq 'οδοΣ'", "t eq 'k'", "t eq '😀 SMILE'", "t eq 'x\u{1}y'",
        // Numbers.
        "n eq 1", "n ne 1", "n gt 0.1", "n eq m", "i eq j", "i eq n", "i gt n", "i eq 9007199254740993",
        "i eq 9223372036854775807", "i gt 9007199254740992", "n add m gt 0", "n sub m lt 0", "n mul m gt 1e300",
        "n mul m eq 0", "n div m gt 1", "n div 0 eq 1", "n div m eq null", "i add j gt 0", "i add 1 gt 0",
        "i sub j lt 0",
        "i mul j gt 1000", "i mul i ge 0", "i div j eq 0", "i div 2 eq 3", "i div 0 eq null", "7 div 2 eq 3",
        "i div 2.0 eq 3.5", "i mod 3 eq 1", "i mod 3 eq -1", "i mod j eq 1", "i mod 0 eq null", "n mod 3 eq 1",
        "n mod 0.1 lt 0.1", "n mod m gt 0", "n mod 0 eq null", "-n gt 0", "-i gt 0", "-(n add 1) lt 0", "-(-i) eq i",
        "floor(n) eq 2", "floor(n) eq -3", "ceiling(n) eq 3", "ceiling(n) eq 0", "round(n) eq 3", "round(n) eq -3",
        "round(n) eq 0", "round(n) eq 1", "floor(i) eq i", "round(n div m) gt 2", "n add i gt 5", "i add n gt 5",
        "n mul 2 eq 5", "n add null eq 1", "n eq null", "(n add m) div 2 gt 1",
        "i gt -999 and i lt 999 and j lt 999 and j gt -999 and i add j sub i eq j",
        "n gt 1e308",
        // Booleans.
        "b", "not b", "b eq true", "b ne true", "b eq false", "b eq null", "not (b eq true)", "(t eq 'milk') eq true",
        "(t eq 'milk') eq false", "b and i gt 1", "b or t eq null", "b eq 1", "b gt false", "true", "false", "not true",
        "b eq b",
        // Dates.
        "d eq datetime'2026-11-21T12:34:56.789Z'", "d lt datetime'1970-01-01'", "d ge datetime'2024-02-29'",
        "year(d) eq 2026", "year(d) eq 1", "month(d) eq 12", "day(d) eq 29", "hour(d) eq 23", "minute(d) eq 34",
        "second(d) eq 56", "second(d) eq 59", "d eq null", "d ne null", "d gt '2026-01-01'", "year(t) eq 2026",
        "hour(t) eq 8", "day(t) eq 21", "month(t) eq null", "year(d) add 1 eq 2027", "d gt createdAt",
        "createdAt eq updatedAt",
        // Ids and versions.
        "id eq 'row 1'", "id eq 'ROW 1'", "id gt 'row 3'", "version ne 'AAAAAAAAAAE='", "version eq 'nothing'",
        "deleted eq false", "id eq t", "startswith(id,'ROW')", "substringof('5',id)",
        // Errors.
        "nothing eq 1", "t gt 1", "n eq 'x'", "length(n) eq 1", "b and t",
    ]

    static let orders = [
        "t", "t desc", "u,t desc", "n", "n desc", "i", "i desc,n", "b,t", "b desc,id desc", "d", "d desc", "id desc",
        "tolower(t)", "toupper(t) desc", "concat(t,u)", "length(t),t", "n add m", "i mul j", "i mul j desc", "n div m",
        "i mod 3,id", "round(n)", "t eq 'milk'", "null", "1", "'x'", "substring(t,1)", "trim(t)", "year(d) desc", "-n",
        "indexof(t,'l') desc,n", "createdAt,id", "version desc",
    ]
}
