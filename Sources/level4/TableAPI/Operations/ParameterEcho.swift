import ByteText
import HTTPModel
import JSONText
import TableOperations
import Tables
import ZumoProtocol

/// The answers of a table that stores no rows: the app's own query members, as the official client suites expect them
/// of their `ParamsTestTable`. Apart from what `Form` says, they look the same in every generation, even for a delete.
enum ParameterEcho {
    /// What differs between generations.
    struct Form {
        /// The text before and after the row of a list.
        var opening = "[", closing = "]"
        /// Whether the id of a numbered row is text.
        var hasTextIDs = false
    }

    static func answer(
        _ operation: Operation, id: String?, to request: TableRequest
    ) throws(RequestError) -> HTTPResponse {
        switch (operation, id) {
        case (.insert, _):
            return response(.created, try row("1", request), to: request)
        case (.read, nil):
            let row = try row("1", request)
            let form = request.generation.echo
            return response(.ok, Array(form.opening.utf8) + row + Array(form.closing.utf8), to: request)
        case (.read, let id?), (.delete, let id?), (.update, let id?):
            return response(.ok, try row(id, request), to: request)
        case (.update, nil):
            guard let id = try RequestBody(request.http).id?.text else { throw .idMissing(request.http.method) }
            return response(.ok, try row(id, request), to: request)
        case (.delete, nil):
            throw .idMissing(request.http.method)
        case (.undelete, _):
            throw .undeleteWithoutSoftDelete(table: request.table.name.text)
        }
    }

    private static func row(_ id: String, _ request: TableRequest) throws(RequestError) -> [UInt8] {
        let id: JSONValue =
            switch try request.pathID(id) {
            case .integer(let number) where request.generation.echo.hasTextIDs: .string(String(number))
            case .integer(let number): .integer(number)
            case .text(let text): .string(text)
            }
        return (["id": id, "parameters": .string(parameters(request))] as JSONValue).jsonBytes
    }

    /// Returns the parameters as JSON. One that occurs more than once has a list of its values.
    private static func parameters(_ request: TableRequest) -> String {
        var values: [ExactText: [String]] = [:]
        var names: [ExactText] = []
        for parameter in request.parameters {
            let name = ExactText(parameter.name)
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(parameter.value)
        }
        return JSONValue.object(
            names.map { name in
                let texts = values[name] ?? []
                return JSONMember(name.text, texts.count == 1 ? .string(texts[0]) : JSONValue(texts))
            }
        ).jsonText
    }

    private static func response(_ status: HTTPStatus, _ body: [UInt8], to request: TableRequest) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json; charset=utf-8")
        fields.append(contentsOf: request.generation.caching)
        return HTTPResponse(status, fields: fields, body: body)
    }
}
