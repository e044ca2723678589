import OData
import Testing

/// A query that breaks the grammar: the option, its text, where a person would point, and words of the reason.
struct Malformed: Sendable, CustomTestStringConvertible {
    let option: String
    let text: String
    let offset: Int
    let words: String

    init(_ text: String, _ offset: Int, _ words: String, in option: String = "$filter") {
        self.option = option
        self.text = text
        self.offset = offset
        self.words = words
    }

    var testDescription: String { "\(option)=\(text)" }
}

@Suite("Malformed queries")
struct MalformedQueryTests {
    static let cases: [Malformed] = [
        // Operands
        Malformed("a eq", 4, "and the text ends"),
        Malformed("a eq ", 5, "and the text ends"),
        Malformed("(", 1, "and the text ends"),
        Malformed("-", 1, "and the text ends"),
        Malformed("a and not", 9, "and the text ends"),
        Malformed("a eq and b", 5, "in front of `and`"),
        Malformed("a and and b", 6, "in front of `and`"),
        Malformed("a and or(b)", 6, "in front of `or`"),
        Malformed("and b", 0, "in front of `and`"),
        Malformed("a eq )", 5, "in front of `)`"),
        Malformed("()", 1, "in front of `)`"),
        Malformed("(a eq 1) and ()", 14, "in front of `)`"),
        Malformed(", a", 0, "in front of `,`"),
        Malformed("length(,a)", 7, "in front of `,`"),
        Malformed("length(a,)", 9, "in front of `)`"),
        Malformed("a eq -", 6, "and the text ends"),
        Malformed("a eq - and b", 7, "in front of `and`"),
        // Operators
        Malformed("a b", 2, "Expected an operator in front of `b`"),
        Malformed("a eq 1 b eq 2", 7, "Expected an operator in front of `b`"),
        Malformed("(a b)", 3, "Expected an operator in front of `b`"),
        Malformed("a EQ 1", 2, "lower case: `eq`"),
        Malformed("a eq 1 And b eq 2", 7, "lower case: `and`"),
        Malformed("a in (1,2)", 2, "Expected an operator in front of `in`"),
        Malformed("a has 1", 2, "Expected an operator in front of `has`"),
        Malformed("1 2", 2, "Expected an operator in front of `2`"),
        Malformed("a 'x'", 2, "Expected an operator in front of `'x'`"),
        Malformed("'a''b' 'c'", 7, "Expected an operator in front of `'c'`"),
        Malformed("a -3", 2, "Expected an operator in front of `-3`"),
        Malformed("a, b", 1, "comma"),
        Malformed("(a, b)", 2, "comma"),
        Malformed("NOT a", 4, "Expected an operator in front of `a`"),
        Malformed("a not b", 2, "Expected an operator in front of `not`"),
        Malformed("a = 1", 2, "`=`"),
        Malformed("a != 1", 2, "`!`"),
        Malformed("a eq 1 && b", 7, "`&`"),
        Malformed("a + 1", 2, "`+`"),
        Malformed("a * 1", 2, "`*`"),
        Malformed("a eq ?", 5, "`?`"),
        Malformed("a; drop table t", 1, "`;`"),
        Malformed("é eq 1", 0, "`é`"),
        Malformed("'é' eq ü", 8, "`ü`"),
        Malformed("a / b", 2, "`/`"),
        Malformed("a/ eq 1", 1, "`/`"),
        Malformed("/a", 0, "`/`"),
        Malformed("a/1 eq 1", 1, "`/`"),
        Malformed("a eq 1\u{0}", 6, "no meaning"),
        // Parentheses
        Malformed("(a eq 1", 0, "never closed"),
        Malformed("((a eq 1)", 0, "never closed"),
        Malformed("a eq (b", 5, "never closed"),
        Malformed("length(a", 6, "never closed"),
        Malformed("a eq 1)", 6, "closes nothing"),
        Malformed("(a eq 1)) or b", 8, "closes nothing"),
        // Text
        Malformed("a eq 'x", 5, "closing apostrophe"),
        Malformed("a eq 'x''", 5, "closing apostrophe"),
        Malformed("a eq x'", 6, "closing apostrophe"),
        Malformed("'", 0, "closing apostrophe"),
        Malformed("a eq \"x\"", 5, "double quotes"),
        // Numbers
        Malformed("a eq .5", 5, "begins with a digit"),
        Malformed("a eq 5.", 7, "after the decimal point"),
        Malformed("a eq 5. and b", 7, "after the decimal point"),
        Malformed("a eq 1e", 7, "exponent"),
        Malformed("a eq 1e+", 8, "exponent"),
        Malformed("a eq 1.e5", 7, "after the decimal point"),
        Malformed("a eq 5abc", 6, "this letter"),
        Malformed("a eq 5L5", 7, "blank"),
        Malformed("a eq 1.5L", 8, "this letter"),
        Malformed("a eq 0x1F", 6, "this letter"),
        Malformed("a eq 1_000", 6, "this letter"),
        Malformed("a eq 1e400", 5, "too large"),
        Malformed("a eq 1.2.3", 8, "begins with a digit"),
        // Literals with a prefix
        Malformed("a eq datetime'yesterday'", 5, "not a date"),
        Malformed("a eq datetime''", 5, "not a date"),
        Malformed("a eq datetime'2015-02-30T00:00:00Z'", 5, "not a date"),
        Malformed("a eq datetimeoffset'2015-02-03T25:00:00Z'", 5, "not a date"),
        Malformed("a eq datetime'2015-02-03", 13, "closing apostrophe"),
        Malformed("a eq guid'123'", 5, "not a GUID"),
        Malformed("a eq guid'0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7g'", 5, "not a GUID"),
        Malformed("a eq guid'0d4f3a3e7a1b-4c8e-9f53-2b6f1c0e8d7a1'", 5, "not a GUID"),
        Malformed("a eq X'0A0'", 5, "hexadecimal"),
        Malformed("a eq binary'0G'", 5, "hexadecimal"),
        Malformed("a eq time'PT1H'", 5, "Times without a date"),
        Malformed("a eq datetime '2015-02-03'", 14, "Expected an operator in front of `'2015-02-03'`"),
        // Ordering
        Malformed("a,", 2, "and the text ends", in: "$orderby"),
        Malformed("a,,b", 2, "in front of `,`", in: "$orderby"),
        Malformed(",a", 0, "in front of `,`", in: "$orderby"),
        Malformed("a up", 2, "`asc`, `desc` or a comma", in: "$orderby"),
        Malformed("a desc desc", 7, "`asc`, `desc` or a comma", in: "$orderby"),
        Malformed("a b desc", 2, "`asc`, `desc` or a comma", in: "$orderby"),
        Malformed("a)", 1, "`asc`, `desc` or a comma", in: "$orderby"),
        Malformed("(a", 0, "never closed", in: "$orderby"),
        Malformed("a;b", 1, "`;`", in: "$orderby"),
        // Selection
        Malformed("a b", 2, "comma", in: "$select"),
        Malformed("a,", 2, "name of a column", in: "$select"),
        Malformed("a,,b", 2, "name of a column", in: "$select"),
        Malformed("a, (b)", 3, "name of a column", in: "$select"),
        Malformed("a/b", 1, "comma", in: "$select"),
        Malformed("*a", 1, "comma", in: "$select"),
        Malformed("é", 0, "name of a column", in: "$select"),
    ]

    /// Where v3 takes the text, or has other words for it: its own cases are with its grammar.
    private static let otherInV3: Set<String> = [
        "a in (1,2)", "a eq time'PT1H'",
    ]

    private static let all = [QueryLanguage.services, .apps, .datasync].flatMap { language in
        cases.filter { language != .datasync || !otherInV3.contains($0.text) }.map { (language, $0) }
    }

    @Test(arguments: all)
    func `a break of the grammar is pointed at`(language: QueryLanguage, malformed: Malformed) throws {
        let error = try #require(throws: QueryError.self) {
            try QueryOptions.parse([(malformed.option, malformed.text)], language: language)
        }
        #expect(error.option == malformed.option)
        #expect(error.offset == malformed.offset)
        guard case .syntax(let sentence) = error.reason else {
            Issue.record("another reason: \(error.reason)")
            return
        }
        #expect(sentence.contains(malformed.words), "\(sentence)")
    }

    @Test(arguments: [
        ("foo(a)", 0, "foo"), ("a eq cast(b,'Edm.String')", 5, "cast"), ("Length(a) eq 1", 0, "Length"),
        ("true(a)", 0, "true"), ("NOT (a)", 0, "NOT"), ("a and any (b)", 6, "any"),
    ])
    func `an unknown function is named`(text: String, offset: Int, name: String) {
        #expect(throws: QueryError("$filter", at: offset, .unknownFunction(name))) { try filter(text) }
    }

    @Test(arguments: [
        ("length()", Function.length, 0), ("length(a,b)", .length, 2), ("startswith(a)", .startsWith, 1),
        ("substring(a)", .substring, 1), ("substring(a,1,2,3)", .substring, 4), ("replace(a,'b')", .replace, 2),
        ("concat(a,b,c)", .concat, 3), ("year()", .year, 0), ("round(a,1)", .round, 2),
    ])
    func `a function with too few or too many arguments says how many it takes`(
        text: String, function: Function, found: Int
    ) {
        let reason = QueryError.Reason.argumentCount(function, expected: function.arity, found: found)
        #expect(throws: QueryError("$filter", at: 0, reason)) { try filter(text) }
    }
}
