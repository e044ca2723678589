import Access
import OData
import TableOperations
import TableSQL
import Tables

/// A condition in a table file on the rows that callers may see or write, in v3's filter language.
struct RuleDeclaration {
    let template: ConditionTemplate
    private let value: ConfigurationValue

    /// Parses the condition.
    init(_ value: ConfigurationValue) throws(ConfigurationFault) {
        self.value = value
        let text = try value.text()
        do throws(QueryError) {
            template = try ConditionTemplate(text, option: value.key)
        } catch {
            throw Self.fault(value, at: error.offset, error.reason.words())
        }
    }

    /// Checks the condition against the columns of its table.
    func check(in table: TableDefinition) throws(ConfigurationFault) {
        for (name, offset) in template.parameters where name != RowRule.userParameter {
            throw fault(at: offset, "There is no `\(name)`; the id of the token's user is `\(RowRule.userParameter)`.")
        }
        for (name, offset) in template.columns { try check(name, at: offset, in: table) }
        for user in [Literal.text("user"), .null] {
            do throws(QueryError) {
                try Self.ask(RowScope(template.condition([RowRule.userParameter: user])), in: table)
            } catch {
                throw fault(at: error.offset, error.reason.words())
            }
        }
    }

    /// Refuses a condition that is valid but too large in combination with the table's other conditions on rows.
    func check(with behaviour: TableBehaviour, in table: TableDefinition) throws(ConfigurationFault) {
        for caller in [Principal.user(Principal.User(id: "user")), .anonymous] {
            guard let scope = behaviour.scope(for: caller, at: SystemClock.now()) else { continue }
            do throws(QueryError) {
                try Self.ask(scope, in: table)
            } catch {
                throw fault(at: nil, "Together with the table's other conditions: \(error.reason.words())")
            }
        }
    }

    private func check(_ name: String, at offset: Int, in table: TableDefinition) throws(ConfigurationFault) {
        switch SystemColumn(named: name) {
        case .id where table.rules.autoIncrement:
            throw fault(at: offset, "`id` is not known before the row is written: the table numbers its rows.")
        case .id, .createdAt: return
        case .updatedAt, .version, .deleted:
            throw fault(at: offset, "`\(name)` changes with the writes that the rule is to decide about.")
        case nil: break
        }
        if table.columns.contains(where: { $0.name == Identifier(name) }) { return }
        // Even with dynamic schema: otherwise the first client to write the column would choose its type.
        let nearest = NearestName.of(name, among: table.columns.map(\.name.text)).map { "did you mean \($0)?" }
        throw fault(at: offset, "The table declares no column `\(name)`; \(nearest ?? "add it to `columns`.")")
    }

    private static func ask(_ scope: RowScope, in table: TableDefinition) throws(QueryError) {
        let table = Table(name: table.name, columns: table.columns, rules: table.rules)
        try scope.check(in: table, dialect: SQLiteDialect())
        try scope.check(in: table, dialect: PostgresDialect())
    }

    private func fault(at offset: Int?, _ sentence: String) -> ConfigurationFault {
        Self.fault(value, at: offset, sentence)
    }

    private static func fault(_ value: ConfigurationValue, at offset: Int?, _ sentence: String) -> ConfigurationFault {
        value.fault((offset.map { "at byte \($0): " } ?? "") + sentence)
    }
}
