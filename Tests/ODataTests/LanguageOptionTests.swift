import OData
import Testing

@Suite("Options of each generation")
struct DialectOptionTests {
    @Test func `each generation tells its options`() {
        func names(_ language: QueryLanguage) -> Set<String> { Set(QueryOption.all(in: language).map(\.rawValue)) }
        let shared: Set = ["$filter", "$orderby", "$select", "$top", "$skip", "__includeDeleted"]
        #expect(names(.services) == shared.union(["$inlinecount"]))
        #expect(names(.apps) == shared.union(["$inlinecount", "$skiptoken"]))
        #expect(names(.datasync) == shared.union(["$count", "$skiptoken"]))
    }

    @Test(arguments: [("$", false), ("", false), ("$", true), ("", true)])
    func `v3 takes names with or without the dollar and in any case`(mark: String, isUpper: Bool) throws {
        func name(_ name: String) -> String { mark + (isUpper ? name.uppercased() : name) }
        let options = try QueryOptions.parse(
            [
                (name("filter"), "year gt 1999"), (name("orderby"), "year desc"), (name("top"), "7"),
                (name("skip"), "3"), (name("select"), "title"), (name("count"), "true"), (name("skiptoken"), "abc"),
                ("__INCLUDEDELETED", "True"),
            ], language: .datasync)
        #expect(options.filter?.outline == "(gt year 1999)")
        #expect(options.order == [OrderTerm(.column("year", at: 0), isDescending: true)])
        #expect(options.top == 7 && options.skip == 3 && options.wantsCount && options.includeDeleted)
        #expect(options.select == [SelectedName("title", at: 0)])
        #expect(options.skipToken == "abc")
    }

    @Test(arguments: [
        "$inlinecount", "$apply", "$search", "$deltatoken", "$unknown", "zumo-api-version", "inlinecount",
    ])
    func `v3 ignores options that it does not have`(name: String) throws {
        #expect(try QueryOptions.parse([(name, "allpages"), (name, "")], language: .datasync) == QueryOptions())
    }

    @Test(arguments: ["$filter", "filter", "$orderby", "$top", "skip", "$SELECT", "$count"], ["", " "])
    func `an option of v3 needs a value`(name: String, value: String) throws {
        let error = try #require(throws: QueryError.self) {
            try QueryOptions.parse([(name, value)], language: .datasync)
        }
        #expect(error.reason == .syntax("The option has no value.") && error.offset == nil)
    }

    @Test(arguments: [
        ("$top", "-1"), ("$top", "NaN"), ("$skip", "-1"), ("$skip", "NaN"), ("$count", "yes"), ("$count", "1"),
        ("$expand", "other"),
    ])
    func `v3 refuses values that an option can't have`(name: String, value: String) {
        #expect(throws: QueryError.self) { try QueryOptions.parse([(name, value)], language: .datasync) }
    }

    @Test func `one option under two names is repeated`() {
        #expect(throws: QueryError("$top", at: nil, .repeated)) {
            try QueryOptions.parse([("$top", "1"), ("TOP", "1")], language: .datasync)
        }
    }

    @Test(arguments: ["$count", "$expand", "$foo", "__unknown", "__proto__", "$skiptoken", "$FILTER"])
    func `v1 refuses options that it does not have`(name: String) {
        #expect(throws: QueryError.self) { try QueryOptions.parse([(name, "1")], language: .services) }
    }

    @Test func `v1 knows the system properties and members of the app`() throws {
        let members = [("__systemProperties", "*"), ("__SystemProperties", "createdAt"), ("mine", "1"), ("_x", "2")]
        #expect(try QueryOptions.parse(members, language: .services) == QueryOptions())
    }

    @Test func `v1 names system columns with two underscores`() throws {
        let options = try QueryOptions.parse(
            [
                ("$filter", "__updatedAt gt __CREATEDAT and __other eq __deleted"), ("$orderby", "__version desc"),
                ("$select", "__updatedAt,title"), ("__includeDeleted", "true"), ("$inlinecount", "none"),
            ], language: .services)
        #expect(options.filter?.outline == "(and (gt updatedAt createdAt) (eq __other deleted))")
        #expect(options.order == [OrderTerm(.column("version", at: 0), isDescending: true)])
        #expect(options.select == [SelectedName("updatedAt", at: 0), SelectedName("title", at: 12)])
        #expect(options.includeDeleted && !options.wantsCount)
        #expect(try filter("__updatedAt eq 1", .apps)?.outline == "(eq __updatedAt 1)")
    }

    @Test func `v1 refuses another inline count`() throws {
        #expect(throws: QueryError.self) { try QueryOptions.parse([("$inlinecount", "some")], language: .services) }
        #expect(try QueryOptions.parse([("$inlinecount", "allpages")], language: .services).wantsCount)
    }

    @Test func `v2 keeps a continuation`() throws {
        #expect(try QueryOptions.parse([("$skiptoken", "abc")]).skipToken == "abc")
    }
}
