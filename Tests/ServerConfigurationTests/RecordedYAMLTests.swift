import Access
import Foundation
import ServerConfiguration
import Tables
import Testing

/// What `zumod check` has always said of texts in YAML's corners. Where that was changed, the recording also has what
/// was said before, and why.
@Suite("Recorded YAML texts")
struct RecordedYAMLTests {
    struct Recording: Decodable, Sendable, CustomTestStringConvertible {
        /// Where the text stands.
        let file: String
        let text: String?
        /// The text where it isn't UTF-8.
        let base64: Data?
        /// The lines about it.
        let says: [String]
        /// The line about the table; nil where something is wrong.
        let table: String?

        var testDescription: String { text?.debugDescription ?? "bytes" }

        static func all() throws -> [Recording] {
            let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/yaml.json")
            return try JSONDecoder().decode([Recording].self, from: Data(contentsOf: path))
        }
    }

    @Test(arguments: try Recording.all())
    func `are told as they were recorded`(recording: Recording) throws {
        let directory = try ConfigurationDirectory([
            "zumod.yaml": "port: 1\n", "tables/A.yaml": "columns: { text: string }\n",
        ])
        let contents = try #require(recording.base64 ?? recording.text.map { Data($0.utf8) })
        try contents.write(to: URL(filePath: "\(directory.path)/\(recording.file)"))
        var says: [String]
        var table: String?
        do throws(ConfigurationFaults) {
            let configuration = try directory.read()
            says = configuration.warnings.map { "warning: \($0)" }
            table = configuration.tables.first.map { definition in
                TableSummary.line(
                    Table(name: definition.name, columns: definition.columns, rules: definition.rules),
                    configuration.access[definition.name] ?? AccessRules(), [])
            }
        } catch {
            says = error.all.map { "error: \($0)" }
        }
        says = says.map { $0.replacingOccurrences(of: "\(directory.path)/", with: "") }
        #expect(says == recording.says)
        #expect(table == recording.table)
    }

    @Test func `are as many as were recorded`() throws {
        #expect(try Recording.all().count == 197)
    }
}
