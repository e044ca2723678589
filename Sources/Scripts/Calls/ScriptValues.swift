import HTTPModel
package import JSONText
import Scalars
import TableOperations
package import Tables

/// Rows and values as scripts know them, and back.
package enum ScriptValues {
    /// Whole numbers beyond these a script gets as text, since JavaScript would round them.
    private static let exact = -9_007_199_254_740_991...9_007_199_254_740_991 as ClosedRange<Int64>

    /// A value as JSON; dates in the wire form.
    package static func json(_ value: Value) -> JSONValue {
        switch value {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): exact.contains(value) ? .integer(value) : .string(String(value))
        case .number(let value): .number(value)
        case .decimal(let value): .precise(value.text, nearest: Double(value.text) ?? 0)
        case .text(let value): .string(value)
        case .date(let value): .string(value.wireText)
        }
    }

    /// A row, with the server's columns by the names of the script's SDK.
    static func json(_ row: Record, for generation: ScriptGeneration) -> JSONValue {
        .object(row.properties.map { JSONMember(name($0.name, for: generation), json($0.value)) })
    }

    /// The columns of a row that hold dates.
    static func dates(in rows: [Record], for generation: ScriptGeneration) -> JSONValue {
        var names: [String] = []
        for row in rows {
            for property in row.properties {
                guard case .date = property.value, !names.contains(property.name) else { continue }
                names.append(property.name)
            }
        }
        return .array(names.map { .string(name($0, for: generation)) })
    }

    private static func name(_ name: String, for generation: ScriptGeneration) -> String {
        guard generation == .v1, let column = SystemColumn(named: Substring(name)), column != .id else { return name }
        return "__\(column.rawValue)"
    }

    /// The columns of a JSON object.
    /// - Returns: nil where one of them is an array or an object, which no column holds.
    static func properties(_ value: JSONValue?) -> [Property]? {
        guard case .object(let members)? = value else { return [] }
        return Record(json: members)?.properties
    }

    /// Members of a message that say which row, and what about it.
    static func reply(_ rows: [Record], count: Int64?, for generation: ScriptGeneration) -> JSONValue {
        [
            "ok": true, "rows": .array(rows.map { json($0, for: generation) }),
            "count": count.map { .integer($0) } ?? .null, "dates": dates(in: rows, for: generation),
        ]
    }

    static func reply(_ row: Record?, for generation: ScriptGeneration) -> JSONValue {
        guard let row else { return ["ok": true, "row": .null, "dates": []] }
        return ["ok": true, "row": json(row, for: generation), "dates": dates(in: [row], for: generation)]
    }

    /// What a script is told of something that could not be done.
    static func failure(
        _ code: String, _ status: Int64, _ message: String, row: Record? = nil, for generation: ScriptGeneration = .v2
    ) -> JSONValue {
        let error: JSONValue = [
            "code": .string(code), "status": .integer(status), "message": .string(message),
            "row": row.map { json($0, for: generation) } ?? .null,
            "dates": dates(in: row.map { [$0] } ?? [], for: generation),
        ]
        return ["ok": false, "error": error]
    }

    /// The same of an error of the tables'.
    static func failure(_ error: OperationError, for generation: ScriptGeneration) -> JSONValue {
        switch error {
        case .refused(let refusal): failure("refused", Int64(refusal.status.rawValue), refusal.text)
        case .required(let message): failure("bad", 400, message)
        case .table(.query), .table(.unknownProperty), .table(.reservedProperty), .table(.invalidColumnName),
            .table(.typeMismatch), .table(.tooManyDigits), .table(.tooManyColumns), .table(.tooManyClientColumns):
            failure("bad", 400, ThrownError.words(error))
        case .table(.outsideScope): failure("refused", 403, "the caller may not write this row")
        case .table(.away): failure("store", 503, ThrownError.words(error))
        case .table, .hook: failure("store", 500, ThrownError.words(error))
        }
    }

    static func failure(_ failure: ScriptedFailure, for generation: ScriptGeneration) -> JSONValue {
        switch failure.kind {
        case .conflict:
            self.failure("conflict", 412, "the row has another version", row: failure.row, for: generation)
        case .duplicate:
            self.failure("duplicate", 409, "the id is taken", row: failure.row, for: generation)
        case .missing: self.failure("missing", 404, "The item does not exist")
        case .tombstone:
            self.failure("tombstone", 404, "the row is deleted", row: failure.row, for: generation)
        case .onlyAsked: self.failure("bad", 400, "the change can't be made of the row as it stands")
        case .answered(let answer): self.failure("store", 500, ThrownError.words(answer))
        case .error(let error): self.failure(error, for: generation)
        }
    }
}
