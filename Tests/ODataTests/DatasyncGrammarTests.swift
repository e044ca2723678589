import OData
import Testing

@Suite("The language of v3")
struct DatasyncGrammarTests {
    @Test(arguments: [
        // Relations bind tighter than equality, which binds tighter than `and`.
        ("a eq b gt c", "(eq a (gt b c))"),
        ("a gt b eq c", "(eq (gt a b) c)"),
        ("a eq 1 and b ne 2 or c", "(or (and (eq a 1) (ne b 2)) c)"),
        ("a add b mul c divby 2", "(add a (divby (mul b c) 2))"),
        ("not a eq b", "(eq (not a) b)"),
        ("not(a)", "(not a)"),
        ("not (a) and b", "(and (not a) b)"),
        // Lists
        ("rating in ('G','PG')", "(in rating [‘G’, ‘PG’])"),
        ("id in ( 'IT', 'GR' , 'EG' )", "(in id [‘IT’, ‘GR’, ‘EG’])"),
        ("a in (1,-2,null,true) and b", "(and (in a [1, -2, null, true]) b)"),
        ("a add 1 in (2)", "(in (add a 1) [2])"),
        ("not (a in (1))", "(not (in a [1]))"),
        ("day in (2022-02-14,cast(2022-02-15,Edm.Date))", "(in day [2022-02-14, 2022-02-15])"),
        ("in eq 1", "(eq in 1)"),
        ("in in (1)", "(in in [1])"),
        // Functions in any case
        ("CONTAINS(title,'x')", "contains(title, ‘x’)"),
        ("toLower(Title) eq 'x'", "(eq tolower(Title) ‘x’)"),
        ("IndexOf(a,'-') gt 0", "(gt indexof(a, ‘-’) 0)"),
        ("fractionalSeconds(a) lt 0.5", "(lt fractionalseconds(a) 0.5r)"),
        ("date(a) eq 2022-02-14", "(eq date(a) 2022-02-14)"),
        ("time(a) lt 12:00", "(lt time(a) 12:00:00.000)"),
        ("a le now()", "(le a now())"),
        ("date eq time", "(eq date time)"),
        // Dates, times and GUIDs without apostrophes
        ("a eq 2024-02-28T10:15:30.123Z", "(eq a 2024-02-28T10:15:30.123Z)"),
        ("a eq 2024-02-28t10:15z", "(eq a 2024-02-28T10:15:00.000Z)"),
        ("a eq 2024-02-28T10:15:30+02:00", "(eq a 2024-02-28T08:15:30.000Z)"),
        ("a eq 2024-02-28T10:15:30 02:00", "(eq a 2024-02-28T08:15:30.000Z)"),
        ("a eq 2024-02-28T10:15:30.1234567-01:30 and b", "(and (eq a 2024-02-28T11:45:30.123Z) b)"),
        ("a eq 1994-10-14", "(eq a 1994-10-14)"),
        ("(a ge 02:14:00.5)", "(ge a 02:14:00.500)"),
        (
            "id eq 0D4F3A3E-7a1b-4c8e-9f53-2b6f1c0e8d7a",
            "(eq id guid:0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a)"
        ),
        ("id eq abcdef01-7a1b-4c8e-9f53-2b6f1c0e8d7a", "(eq id guid:abcdef01-7a1b-4c8e-9f53-2b6f1c0e8d7a)"),
        ("abcdef01 eq 1", "(eq abcdef01 1)"),
        // Numbers
        ("a eq 42L", "(eq a 42)"), ("a eq -5", "(eq a -5)"), ("a eq 2.0M", "(eq a 2.0m)"),
        ("a eq 1990.5f", "(eq a 1990.5r)"), ("a eq 1.5E+10", "(eq a 15000000000.0r)"),
        ("a eq INF or a eq -INF", "(or (eq a infr) (eq a -infr))"), ("a eq NaN", "(eq a nanr)"),
        ("INFO eq 1", "(eq INFO 1)"), ("-INFO eq 1", "(eq (- INFO) 1)"),
        // Casts
        ("a eq cast(1994-10-14,Edm.Date)", "(eq a 1994-10-14)"),
        ("a eq cast('1994-10-14', Edm.Date)", "(eq a 1994-10-14)"),
        ("a eq Cast(2024-02-28T10:15:30.123Z,edm.datetimeoffset)", "(eq a 2024-02-28T10:15:30.123Z)"),
        ("a eq cast('2024-02-28T10:15:30Z',Edm.DateTimeOffset)", "(eq a 2024-02-28T10:15:30.000Z)"),
        ("a eq cast(2024-02-28,Edm.DateTimeOffset)", "(eq a 2024-02-28T00:00:00.000Z)"),
        ("a eq cast(2024-02-28T23:59:59Z,Edm.Date)", "(eq a 2024-02-28)"),
        ("a eq cast(07:14:00,Edm.TimeOfDay)", "(eq a 07:14:00.000)"),
        (
            "a eq cast(0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a,Edm.Guid)",
            "(eq a guid:0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a)"
        ),
        ("a eq cast(5,Edm.String)", "(eq a ‘5’)"), ("a eq cast('5',Edm.Int64)", "(eq a 5)"),
        ("a eq cast(2.9,Edm.Int32)", "(eq a 2)"), ("a eq cast(2,Edm.Double)", "(eq a 2.0r)"),
        ("a eq cast('2.5',Edm.Decimal)", "(eq a 2.5m)"), ("a eq cast('true',Edm.Boolean)", "(eq a true)"),
        ("a eq cast(null,Edm.String)", "(eq a null)"), ("cast eq 1", "(eq cast 1)"),
    ])
    func `a filter is read as OData 4 has it`(text: String, outline: String) throws {
        #expect(try filter(text, .datasync)?.outline == outline)
    }

    @Test func `equality and relations bind alike before v3`() throws {
        #expect(try filter("a eq b gt c")?.outline == "(gt (eq a b) c)")
    }

    @Test(arguments: [
        Malformed("a in 1", 5, "list in parentheses"),
        Malformed("a in", 4, "list in parentheses"),
        Malformed("a in ()", 6, "in front of `)`"),
        Malformed("a in (1,)", 8, "in front of `)`"),
        Malformed("a in (1", 5, "never closed"),
        Malformed("a in (b)", 6, "constants only"),
        Malformed("a in (1,b add 1)", 8, "constants only"),
        Malformed("a has 'x'", 2, "Expected an operator in front of `has`"),
        Malformed("year - 1900 ge 100", 5, "Expected an operator"),
        Malformed("(year - 1900) ge 100", 6, "Expected an operator"),
        Malformed("tags/any(t: t eq 'x')", 5, "a row holds no lists"),
        Malformed("tags/all(t: t eq 'x')", 5, "a row holds no lists"),
        Malformed("isof(a,Edm.String)", 0, "`isof` is not supported"),
        Malformed("geo.distance(a, geography'POINT(-97 38)') lt 0.2", 0, "holds no places"),
        Malformed("a eq geography'POINT(-97 38)'", 5, "Places are not supported"),
        Malformed("a eq cast(b,Edm.String)", 10, "`cast` takes a constant"),
        Malformed("a eq cast(Edm.String)", 20, "Expected a comma and a type"),
        Malformed("a eq cast(1,)", 12, "Expected a type"),
        Malformed("a eq cast(1,Edm.Duration)", 12, "can't be cast to `Edm.Duration`"),
        Malformed("a eq cast('x',Edm.Date)", 14, "can't be cast to `Edm.Date`"),
        Malformed("a eq cast(1,Edm.Int32", 9, "never closed"),
        Malformed("a eq 2022-02-30", 5, "not a day"),
        Malformed("a eq 2022-02-28x", 5, "not a day"),
        Malformed("a eq 2022-02-28T25:00:00Z", 5, "not a date and time"),
        Malformed("a eq 2022-02-28T10:00:00Q", 5, "not a date and time"),
        Malformed("a eq 25:00", 5, "not a time of day"),
        Malformed("a eq 10:00:61", 5, "not a time of day"),
        Malformed("a eq 2A", 6, "this letter"),
        Malformed("duration fizz", 9, "`asc`, `desc` or a comma", in: "$orderby"),
        Malformed("year rating", 5, "comma", in: "$select"),
    ])
    func `a break of the grammar is pointed at`(malformed: Malformed) throws {
        let error = try #require(throws: QueryError.self) {
            try QueryOptions.parse([(malformed.option, malformed.text)], language: .datasync)
        }
        #expect(error.offset == malformed.offset)
        guard case .syntax(let sentence) = error.reason else {
            Issue.record("another reason: \(error.reason)")
            return
        }
        #expect(sentence.contains(malformed.words), "\(sentence)")
    }

    @Test(
        arguments: [
            (.datasync, "substringof('x',a)", "substringof"), (.datasync, "replace(a,'x','y') eq 'z'", "replace"),
            (.datasync, "geo.area(a) gt 1", "geo.area"),
            (.datasync, "totaloffsetminutes(a) eq 1", "totaloffsetminutes"),
            (.apps, "contains(a,'x')", "contains"), (.apps, "now() gt a", "now"), (.apps, "date(a) eq 'x'", "date"),
            (.services, "fractionalseconds(a) gt 1", "fractionalseconds"),
        ] as [(QueryLanguage, String, String)])
    func `each language has its own functions`(language: QueryLanguage, text: String, name: String) {
        #expect(throws: QueryError("$filter", at: 0, .unknownFunction(name))) { try filter(text, language) }
    }
}
