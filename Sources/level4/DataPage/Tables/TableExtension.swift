import HTTPModel
import JSONText
import Tables
import ZumoProtocol

/// Additions to a table from the page: a column, or an index.
enum TableExtension {
    static func column(in request: HTTPRequest) throws(PageFault) -> Column {
        guard let body = try? JSONReader.parse(request.body), let name = body["name"]?.textValue,
            let kind = body["kind"]?.textValue
        else { throw .body("The body has to be a JSON object with name and kind.") }
        guard let identifier = Identifier(name), SystemColumn(named: name) == nil else {
            throw .other(
                ErrorResponse(
                    .columnNameInvalid,
                    "'\(ErrorBody.excerpt(name))' can't be a column: a letter or _, then letters, digits and _, at most 128."
                ))
        }
        guard let type = ColumnType(rawValue: kind) else {
            throw .body("A column's kind is one of \(ColumnType.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return Column(identifier, type)
    }

    static func index(in request: HTTPRequest, of table: Table) throws(PageFault) -> [Identifier] {
        guard let names = (try? JSONReader.parse(request.body))?["columns"]?.elements, !names.isEmpty else {
            throw .body("The body has to be a JSON object with columns, a list of names.")
        }
        var columns: [Identifier] = []
        for name in names {
            guard let text = name.textValue, let identifier = Identifier(text), table.field(named: text) != nil else {
                throw .other(
                    ErrorResponse(
                        .columnUnknown,
                        "The table has no column '\(ErrorBody.excerpt(name.textValue ?? "?"))'."))
            }
            guard !columns.contains(identifier) else { throw .body("An index names each column once.") }
            columns.append(identifier)
        }
        return columns
    }

    /// Turns a store's error into a fault with its reason, which operators may know.
    static func fault(_ error: TableError) -> PageFault {
        switch error {
        case .definition(let text):
            let sentence = text.prefix(1).uppercased() + text.dropFirst() + "."
            return .other(ErrorResponse(.conflict, .columnNameInvalid, sentence))
        case .tooManyColumns(let limit):
            return .other(
                ErrorResponse(.conflict, .columnNameInvalid, "A table has at most \(limit) columns of its own."))
        default: return .store(error)
        }
    }
}
