/// A source file, as far as who calls whom.
struct CalledFile {
    let path: String
    private let words: Set<String>
    private let calls: Set<String>
    /// The types that it declares, but for those inside of others.
    private let types: Set<String>
    /// The functions that it declares.
    private let functions: Set<String>

    init(_ path: String) throws {
        self.path = path
        let code = try Repository.text(of: path).split(separator: "\n")
            .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        words = Set(code.matches(of: /\b[A-Z]\w+/).map { String($0.output) })
        calls = Set(code.matches(of: /(?:\.|\s|\()(\w+)[(<]/).map { String($0.output.1) })
        types = Set(
            code.matches(of: /(?m)^(?:\w+ )*(?:struct|enum|class|protocol) ([A-Z]\w+)/).map { String($0.output.1) })
        functions = Set(code.matches(of: /\bfunc (\w+)/).map { String($0.output.1) })
    }

    /// Whether it names a type of the other, or calls a function of a name that it has.
    func calls(_ other: CalledFile) -> Bool {
        !words.isDisjoint(with: other.types) || !calls.isDisjoint(with: other.functions)
    }
}
