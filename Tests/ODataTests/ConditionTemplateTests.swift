import OData
import Testing

@Suite struct `Conditions that are completed for each caller` {
    private let values: [String: Literal] = ["@userId": .text("sid:ann")]

    @Test(arguments: [
        ("ownerId eq @userId or shared", "ownerId eq 'sid:ann' or shared"),
        ("not (@userId eq null) and a in ('x')", "not ('sid:ann' eq null) and a in ('x')"),
        ("startswith(path,concat(@userId,'/'))", "startswith(path,concat('sid:ann','/'))"),
        ("@userId in ('x','y') or -n gt @userId", "'sid:ann' in ('x','y') or -n gt 'sid:ann'"),
    ])
    func `a value takes the place of its name`(template: String, filter: String) throws {
        let condition = try ConditionTemplate(template, option: "visible").condition(values)
        let expected = try QueryOptions.parse([("$filter", filter)], language: .datasync).filter
        #expect(condition.columns.map(\.name) == expected?.columns.map(\.name))
        #expect(Self.shape(condition) == expected.map(Self.shape))
    }

    @Test func `a value that is not given is null`() throws {
        let condition = try ConditionTemplate("a eq @other", option: "visible").condition(values)
        #expect(condition == .binary(.equal, .column("a", at: 0), .literal(.null, at: 5), at: 2))
    }

    @Test func `columns and values are told with their places`() throws {
        let template = try ConditionTemplate("a eq @userId or length(b) gt @n", option: "visible")
        #expect(template.columns.map(\.name).sorted() == ["a", "b"])
        #expect(template.parameters.map { "\($0.name) \($0.offset)" }.sorted() == ["@n 29", "@userId 5"])
    }

    @Test(arguments: ["@", "@ userId eq a", "a eq @'x'", "@userId(a)", "a eq @userId b", ""])
    func `what is no condition is refused`(text: String) {
        #expect(throws: QueryError.self) { try ConditionTemplate(text, option: "visible") }
    }

    @Test(arguments: QueryLanguage.allCases)
    func `clients can't name values`(language: QueryLanguage) {
        #expect(throws: QueryError.self) { try QueryOptions.parse([("$filter", "a eq @userId")], language: language) }
        #expect(throws: QueryError.self) { try QueryOptions.parse([("$orderby", "@userId")], language: language) }
    }

    /// The tree without its places in the text.
    private static func shape(_ expression: Expression) -> String {
        switch expression {
        case .literal(let literal, _): "\(literal)"
        case .column(let name, _): name
        case .not(let operand, _): "not(\(shape(operand)))"
        case .negate(let operand, _): "-(\(shape(operand)))"
        case .binary(let binary, let left, let right, _): "(\(shape(left)) \(binary) \(shape(right)))"
        case .among(let value, let list, _): "\(shape(value)) in \(list.map(shape))"
        case .call(let function, let arguments, _): "\(function)\(arguments.map(shape))"
        }
    }
}
