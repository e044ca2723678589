import ByteText
import JSONText

/// Where two readings of the same folder differ in what is served or in who may do what. The rows that a table begins
/// with don't count, as nothing is served by them, nor do warnings.
struct InventoryDifference: Sendable, Equatable {
    /// The path of the file within the project; empty for the application.
    let file: String
    /// What differs there, such as a key of a definition, or a fault that only the later reading has.
    let part: String
    /// Whether calls for what the earlier reading serves can be run by the later one: the server itself sees to access
    /// and columns, but a script that is gone would let everybody pass.
    let isServable: Bool

    /// As a place and what is there.
    var sentence: String { file.isEmpty ? part : "\(file): \(part)" }

    /// Returns the first difference, those first that can't be served; nil if there is none.
    static func between(_ agreed: JSONValue, _ read: JSONValue) -> InventoryDifference? {
        let (old, new) = (parts(of: agreed), parts(of: read))
        let changed = Set(old.keys).union(new.keys).filter { old[$0]?.value != new[$0]?.value }
        let differences = changed.sorted().compactMap { name -> InventoryDifference? in
            guard let part = new[name] ?? old[name] else { return nil }
            // What the earlier one doesn't serve is asked of nobody, and a fault that is gone does no harm.
            let isServable =
                switch part.kind {
                case .definition: true
                case .code: old[name] == nil
                case .fault: new[name] == nil
                }
            return InventoryDifference(file: part.file, part: part.text, isServable: isServable)
        }
        return differences.first { !$0.isServable } ?? differences.first
    }

    private enum Kind { case definition, code, fault }

    private struct Part {
        let file: String
        let text: String
        let kind: Kind
        let value: ExactText

        init(file: String, text: String, kind: Kind, value: String) {
            (self.file, self.text, self.kind, self.value) = (file, text, kind, ExactText(value))
        }
    }

    /// What counts of a reading, by names that sort faults to the front.
    private static func parts(of reading: JSONValue) -> [ExactText: Part] {
        let chain = reading["hasChain"]?.jsonText ?? ""
        var parts = [
            ExactText("2 chain"): Part(file: "", text: "what requests pass through", kind: .code, value: chain)
        ]
        for fault in reading.all("faults") where fault["fatal"]?.booleanValue != false {
            let (file, message) = (fault.text("file"), fault.text("message"))
            let line = fault["line"]?.integerValue.map { ":\($0)" } ?? ""
            parts[ExactText("1 \(file) \(message)")] = Part(
                file: "\(file)\(line)", text: message, kind: .fault, value: "")
        }
        for table in reading.all("tables") {
            let (name, file) = (table.text("name"), table.text("file"))
            let code =
                table.texts("scripts").sorted() + texts(of: table, ["generation", "broken", "undeletesByUpdate"])
            parts[ExactText("2 table \(name)")] = Part(
                file: file, text: "the operations of table \(name) that have a script", kind: .code,
                value: code.joined(separator: " "))
            for member in table.members("definition") where member.name != "seed" {
                for (key, value) in flat(member) {
                    parts[ExactText("3 table \(name) \(key)")] = Part(
                        file: file, text: "`\(key)`", kind: .definition, value: value.jsonText)
                }
            }
        }
        for api in reading.all("apis") {
            let (name, file, verbs) = (api.text("name"), api.text("file"), api.members("verbs"))
            let code = verbs.map(\.name).sorted() + texts(of: api, ["generation", "broken"])
            parts[ExactText("2 API \(name)")] = Part(
                file: file, text: "the verbs of API \(name)", kind: .code, value: code.joined(separator: " "))
            for verb in verbs {
                parts[ExactText("3 API \(name) \(verb.name)")] = Part(
                    file: file, text: "the access of \(verb.name)", kind: .definition, value: verb.value.jsonText)
            }
        }
        for job in reading.all("jobs") {
            let (name, file) = (job.text("name"), job.text("file"))
            parts[ExactText("2 job \(name)")] = Part(file: file, text: "job \(name)", kind: .code, value: "")
            parts[ExactText("3 job \(name)")] = Part(
                file: file, text: "`cron`", kind: .definition, value: job["cron"]?.jsonText ?? "")
        }
        return parts
    }

    private static func texts(of value: JSONValue, _ names: [String]) -> [String] {
        names.map { value[$0]?.jsonText ?? "" }
    }

    /// The members of an object by keys with a dot, as their order says nothing; anything else as it is.
    private static func flat(_ member: JSONMember) -> [(String, JSONValue)] {
        guard case .object(let members) = member.value else { return [(member.name, member.value)] }
        return members.map { ("\(member.name).\($0.name)", $0.value) }
    }
}
