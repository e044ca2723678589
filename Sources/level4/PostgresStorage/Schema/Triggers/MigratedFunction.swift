import TableSQL

/// A function created by the migrations.
struct MigratedFunction {
    let name: String
    /// The statements that create it in its current form: the last one for each signature.
    fileprivate(set) var statements: [String]

    /// The functions of all migrations.
    static let all: [MigratedFunction] = {
        var all: [MigratedFunction] = []
        for migration in Migration.postgres {
            let script = migration.script
            var lines = script.split(separator: "\n", omittingEmptySubsequences: false)[...]
            while let line = lines.popFirst() {
                let starts = ["CREATE FUNCTION ", "CREATE OR REPLACE FUNCTION "]
                guard let start = starts.first(where: { line.hasPrefix($0) }) else { continue }
                let name = String(line.dropFirst(start.count).prefix { $0 != "(" })
                var text = "CREATE OR REPLACE FUNCTION \(line.dropFirst(start.count))"
                // A body in dollar quotes contains statements of its own.
                while !(text.contains("$$") ? text.hasSuffix("$$;") : text.hasSuffix(";")), let next = lines.popFirst()
                {
                    text += "\n\(next)"
                }
                text = String(text.dropLast())
                let head = text.prefix { $0 != ")" }
                if let index = all.firstIndex(where: { $0.name == name }) {
                    all[index].statements.removeAll { $0.prefix { $0 != ")" } == head }
                    all[index].statements.append(text)
                } else {
                    all.append(MigratedFunction(name: name, statements: [text]))
                }
            }
        }
        return all
    }()
}
