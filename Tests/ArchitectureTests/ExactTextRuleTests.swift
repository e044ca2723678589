import Testing

/// A `String` is equal to every text that looks the same, which databases tell apart. So what users choose is compared and
/// kept by its bytes.
@Suite("The rule of exact text")
struct ExactTextRuleTests {
    /// Where keys are words that no user chooses, by the beginning of a path, and what they are.
    private static let ownKeys: KeyValuePairs<String, String> = [
        "Sources/level2/Access/Principal.swift": "claims: a token with two that look alike is refused",
        "Sources/level2/Access/Tokens/StrictObject.swift": "members of a token: of two that look alike none is taken",
        "Sources/level2/Access/Tokens/TokenMinter.swift": "claims, as above",
        "Sources/level2/Access/Tokens/IdentityClaims.swift": "claims, as above",
        "Sources/level4/AuthAPI/Description/": "names of providers, in ASCII",
        "Sources/level4/AuthAPI/Local/LocalLogin.swift": "claims, as above",
        "Sources/level4/AuthAPI/Login": "names of providers and of form fields, in ASCII",
        "Sources/level4/AuthAPI/Local/PasswordQueue.swift": "network addresses",
        "Sources/level4/AuthAPI/ProviderToken.swift": "names of form fields",
        "Sources/level4/AuthAPI/Session.swift": "claims, as above",
        "Sources/level4/Conformance/": "ids that the checks make",
        "Sources/level4/CustomAPI/APIRouter.swift": "names of APIs, in ASCII",
        "Sources/level4/DataPage/": "files and words of the page",
        "Sources/level0/MetricSeries/": "names of series and their labels",
        "Sources/level0/OData/ConditionTemplate.swift": "names of parameters, which are the server's",
        "Sources/level4/PostgresStorage/Connection/PostgresAddress.swift": "options of libpq",
        "Sources/level4/PostgresStorage/Schema/Triggers/PostgresTriggerDrift.swift": "functions of the server",
        "Sources/level4/PostgresStorage/Schema/PostgresSchemaPreparation.swift": "functions of the server",
        "Sources/level4/PostgresStorage/Schema/Triggers/TriggerFunctions.swift": "functions of the server",
        "Sources/level4/PostgresStorage/Writing/WriteTurn.swift": "names of tables, in ASCII",
        "Sources/level1/RouteDescription/": "parts of the server's own document",
        "Sources/level4/Scripts/Calls/ScriptedApplication.swift": "claims that a project sets itself",
        "Sources/level4/Scripts/Host/": "the environment",
        "Sources/level4/Scripts/Process/": "the environment",
        "Sources/level6/ServerApp/": "the environment, names of settings and probes, in ASCII",
        "Sources/level5/ServerConfiguration/": "the environment, keys of settings, names of files",
        "Sources/level4/ServerLogging/": "members of log lines",
        "Sources/level3/TableOperations/Rows/RowRule.swift": "names of parameters, which are the server's",
        "Sources/level1/Tables/Statements/StatementStore.swift": "names of T-SQL's parameters, in ASCII",
        "Sources/level1/Tables/Verification/SchemaListing.swift": "what the server makes in a database",
        "Sources/level7/TestMode/Record/CaseCaptures.swift": "values of the server's making",
        "Sources/level7/TestMode/Record/ExchangeFilter.swift": "methods of HTTP",
        "Sources/level7/TestMode/Worlds/Worlds.swift": "names of worlds, in ASCII",
        "Sources/level4/Transfer/TransferNote.swift": "members of the server's own notes",
        "Sources/level4/Transfer/UserNote.swift": "members, as above",
    ]

    private static func hasStringKeys(_ line: Substring) -> Bool {
        // Words that stand in the source are no user's.
        (line.contains("[String") && line.contains(/\[String ?:/) || line.contains("Set<String>")
            || line.contains("Dictionary<String")) && !line.contains("static let ") && !line.contains("struct ")
    }

    /// Comparisons of what users choose; not with nil, a member of ours or a text that stands there. Made once: to make one
    /// takes longer than to look for it.
    private struct UsersText {
        let left =
            #/(?:user\.id|userID|username|installation|pathID|idText|channel|asker|device) [!=]= (?!nil\b|\.|"|Self\.)/#
        let member =
            #/(?:(?:member|property|parameter)\.name|\$[01]\.(?:user|channel|installation)) [!=]= (?!nil\b|\.|"|Self\.)/#
        let right =
            #/ [!=]= (?:user\.id|userID|username|installation|pathID|idText|(?:property|member)\.name)\b(?!\.)/#
        let cut =
            #/(?:user\.id|userID|username|pathID|idText)\.(?:has(?:Pre|Suf)fix|(?:first|last)Index|split|dropFirst)\b/#

        func isComparedByLook(in line: Substring) -> Bool {
            guard line.contains(" == ") || line.contains(" != ") || line.contains("user") || line.contains("ID.")
            else { return false }
            return line.contains(left) || line.contains(member) || line.contains(right) || line.contains(cut)
        }
    }

    private static func isComment(_ line: Substring) -> Bool {
        line.drop { $0 == " " }.hasPrefix("//")
    }

    @Test func `the rule finds what breaks it, and nothing else`() {
        for line in [
            "private let known = Mutex<[String: Known]>([:])", "var seen: Set<String> = []",
            "let rows = Dictionary<String, Row>()",
        ] {
            #expect(Self.hasStringKeys(line[...]), "\(line)")
        }
        for line in [
            "private let known = Mutex<[ExactText: Known]>([:])", "static let words: Set<String> = [\"a\"]",
            "let list: [String] = []",
        ] {
            #expect(!Self.hasStringKeys(line[...]), "\(line)")
        }
        let text = UsersText()
        for line in [
            "if user.id == other {", "guard pathID != body else", "rows.first { $0.name == property.name }",
            "if bodyID != pathID {", "guard user.id.hasPrefix(prefix) else", "$0.channel == channel",
        ] {
            #expect(text.isComparedByLook(in: line[...]), "\(line)")
        }
        for line in [
            "if user.id.isExactly(other) {", "member.name == \"id\"", "pathID == nil", "user.id.beginsExactly(prefix)",
        ] {
            #expect(!text.isComparedByLook(in: line[...]), "\(line)")
        }
    }

    @Test func `dictionaries and sets have no users' strings for keys`() throws {
        var unused = Set(Self.ownKeys.map(\.key))
        for path in Repository.swiftFiles(below: "Sources") {
            let lines = try Repository.text(of: path).split(separator: "\n")
                .filter { !Self.isComment($0) && Self.hasStringKeys($0) }
            guard !lines.isEmpty else { continue }
            let allowed = Self.ownKeys.map(\.key).filter(path.hasPrefix)
            #expect(!allowed.isEmpty, "\(path) keeps by look what ExactText tells apart: \(lines[0])")
            unused.subtract(allowed)
        }
        #expect(unused.isEmpty, "nothing there any more needs to be allowed")
    }

    @Test func `what users choose is compared by its bytes`() throws {
        let text = UsersText()
        for path in Repository.swiftFiles(below: "Sources") where !path.hasPrefix("Sources/level4/Conformance/") {
            for line in try Repository.text(of: path).split(separator: "\n") where !Self.isComment(line) {
                #expect(!text.isComparedByLook(in: line), "\(path) compares by look: \(line)")
            }
        }
    }
}
