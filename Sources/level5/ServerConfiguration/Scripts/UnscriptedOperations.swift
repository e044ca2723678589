import Access
import Scripts
import TableOperations
import Tables

extension Configuration {
    /// A warning for each table with scripts for only some operations on existing rows: a script that decides who owns
    /// a row does so only for its own operations.
    var unscriptedOperations: [ConfigurationFault] {
        guard let scripts else { return [] }
        return scripts.inventory.tables.compactMap { script in
            guard let definition = tables.first(where: { $0.name == Identifier(script.name) }) else { return nil }
            let behaviour = behaviours[definition.name]
            // A rule about the owner of rows applies to all operations.
            guard behaviour?.ownerColumn == nil, behaviour?.rule == nil else { return nil }
            let scripted = script.operations.compactMap(Operation.init)
            let rules = access[definition.name] ?? AccessRules()
            let left = Self.operationsOnRows(of: definition).filter { operation in
                !scripted.contains(operation) && ![.admin, .disabled].contains(rules.level(of: operation))
            }
            let others = Self.operationsOnRows(of: definition).filter(scripted.contains)
            guard !left.isEmpty, !others.isEmpty else { return nil }
            return .file(
                "\(scripts.project.root)/\(script.file)", Self.sentence(on: left, beside: others, script))
        }
    }

    private static func operationsOnRows(of definition: TableDefinition) -> [Operation] {
        [.read, .update, .delete] + (definition.rules.softDelete ? [.undelete] : [])
    }

    private static func sentence(
        on left: [Operation], beside others: [Operation], _ script: ScriptedTable
    ) -> String {
        let open = left.filter { $0 != .undelete }
        var sentences: [String] = []
        if !open.isEmpty {
            sentences.append(
                "has no script for \(list(open)) beside \(list(others)): whoever may do that does it with any row, whatever "
                    + "the other scripts hide; write one, or narrow its access (admin, disabled)")
        }
        if left.contains(.undelete) {
            let way =
                script.undeletesByUpdate
                ? "that of update stands around it"
                : others.contains(.read)
                    ? "whoever may do that brings back any row that the script of read shows them"
                    : "whoever may do that brings back any row, and is shown it"
            sentences.append("has no script for undelete: \(way)")
        }
        return "table \(script.name) " + sentences.joined(separator: "; it ")
    }

    private static func list(_ operations: [Operation]) -> String {
        let names = operations.map(\.rawValue)
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
