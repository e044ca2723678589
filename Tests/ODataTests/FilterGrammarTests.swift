import OData
import Testing

@Suite("The grammar of a filter")
struct FilterGrammarTests {
    @Test(arguments: [
        ("a or b and c", "(or a (and b c))"),
        ("a and b or c and d", "(or (and a b) (and c d))"),
        ("a eq 1 and b eq 2 or c eq 3", "(or (and (eq a 1) (eq b 2)) (eq c 3))"),
        ("a eq b eq true", "(eq (eq a b) true)"),
        ("a lt b ne c", "(ne (lt a b) c)"),
        ("a eq b add c mul d", "(eq a (add b (mul c d)))"),
        ("a sub b sub c", "(sub (sub a b) c)"),
        ("a mul b div c mod d", "(mod (div (mul a b) c) d)"),
        ("a sub (b sub c)", "(sub a (sub b c))"),
        ("not a eq b", "(eq (not a) b)"),
        ("not (a eq b)", "(not (eq a b))"),
        ("not not a", "(not (not a))"),
        ("-a add b", "(add (- a) b)"),
        ("-(a add b)", "(- (add a b))"),
        ("- -a", "(- (- a))"),
        ("--3", "(- -3)"),
        ("a sub -3", "(sub a -3)"),
        ("a sub-3", "(sub a -3)"),
    ])
    func `operators bind as the notes order them`(text: String, outline: String) throws {
        #expect(try filter(text)?.outline == outline)
    }

    @Test(arguments: [
        ("t eq't3'and(n eq 3)", "(and (eq t ‘t3’) (eq n 3))"),
        ("  a \t eq\n1  ", "(eq a 1)"),
        ("not(a)or(b)", "(or (not a) b)"),
        ("startswith ( a , 'x' )", "startswith(a, ‘x’)"),
        ("((((a))))", "a"),
    ])
    func `blanks may be any, and none beside quotes and parentheses`(text: String, outline: String) throws {
        #expect(try filter(text)?.outline == outline)
    }

    @Test(arguments: [
        ("eq eq 1", "(eq eq 1)"),
        ("datetime eq 'x'", "(eq datetime ‘x’)"),
        ("datetime gt datetime'2026-01-01'", "(gt datetime 2026-01-01T00:00:00.000Z)"),
        ("year ge 1980 and year(year) eq 2", "(and (ge year 1980) (eq year(year) 2))"),
        ("length(mod) eq 1", "(eq length(mod) 1)"),
        ("X eq guid and time eq binary", "(and (eq X guid) (eq time binary))"),
        ("not eq 1", "(eq not 1)"),
        ("(and) and or or b", "(or (and and or) b)"),
        ("asc lt desc", "(lt asc desc)"),
        ("_a1 eq B_2", "(eq _a1 B_2)"),
    ])
    func `a keyword is a column where nothing else makes sense`(text: String, outline: String) throws {
        #expect(try filter(text)?.outline == outline)
    }

    @Test(arguments: [("a/b eq 1", "(eq b 1)"), ("a/b/c", "c"), ("length(item/text) eq 1", "(eq length(text) 1)")])
    func `a path means its last part`(text: String, outline: String) throws {
        #expect(try filter(text)?.outline == outline)
    }

    @Test(arguments: Function.allCases)
    func `every function is known by its wire name`(function: Function) throws {
        let isNew = [.contains, .matchesPattern, .fractionalSeconds, .date, .time, .now].contains(function)
        for count in function.arity {
            let arguments = Array(repeating: "a", count: count).joined(separator: ",")
            #expect(
                try filter("\(function.rawValue)(\(arguments))", isNew ? .datasync : .apps)?.outline
                    == "\(function.rawValue)(\(arguments.replacing(",", with: ", ")))")
        }
    }

    @Test(arguments: BinaryOperator.allCases)
    func `every operator stands between two operands`(binary: BinaryOperator) throws {
        let language: QueryLanguage = binary == .divideBy ? .datasync : .apps
        #expect(try filter("a \(binary.rawValue) b", language)?.outline == "(\(binary.rawValue) a b)")
    }

    @Test func `offsets say where each part stands`() throws {
        let parsed = try filter("not (a eq 1)")
        let comparison = Expression.binary(.equal, .column("a", at: 5), .literal(.integer(1), at: 10), at: 7)
        #expect(parsed == .not(comparison, at: 0))
        let call = try filter("'é' eq tolower(b/c)")
        #expect(
            call
                == .binary(
                    .equal, .literal(.text("é"), at: 0), .call(.toLower, [.column("c", at: 18)], at: 8), at: 5))
    }

    @Test(arguments: [
        (
            "(updatedAt ge datetimeoffset'1970-01-01T00:00:00.000Z')",
            "(ge updatedAt 1970-01-01T00:00:00.000Z)"
        ),
        (
            "((complete eq false) and (updatedAt ge datetimeoffset'2015-02-03T04:05:06.7891234+00:00'))",
            "(and (eq complete false) (ge updatedAt 2015-02-03T04:05:06.789Z))"
        ),
        ("startswith(tolower(text),tolower('x'))", "startswith(tolower(text), tolower(‘x’))"),
        ("not((a eq 1))", "(not (eq a 1))"),
        ("(1 eq 0)", "(eq 1 0)"),
        ("((f eq 'a') or (f eq 'it''s'))", "(or (eq f ‘a’) (eq f ‘it's’))"),
        ("(price mul 1e+06d) gt 5.99d", "(gt (mul price 1000000.0r) 5.99r)"),
        ("(0 sub x) lt 200l", "(lt (sub 0 x) 200)"),
        ("(month(x) sub 1) eq 50f", "(eq (sub month(x) 1) 50.0r)"),
        ("(indexof(text,'…') eq 0)", "(eq indexof(text, ‘…’) 0)"),
        ("(id eq guid'0D4F3A3E-7A1B-4C8E-9F53-2B6F1C0E8D7A')", "(eq id guid:0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a)"),
        ("(big lt 1E+30)", "(lt big 1e+30r)"),
        ("data eq X'0A0b'", "(eq data bytes:[10, 11])"),
    ])
    func `what the client libraries send is read`(text: String, outline: String) throws {
        #expect(try filter(text)?.outline == outline)
    }
}
