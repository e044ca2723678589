import Access
import ByteText
import HTTPModel
import JSONText
import OData
import Scalars
import TableOperations
import Tables

/// A script to run, and its caller.
struct ScriptTask: Sendable {
    /// Which script to run.
    enum Kind: Sendable {
        /// The script of a table operation.
        case table(TableTask)
        /// A function of an API.
        case api(name: String, path: [String], body: [UInt8])
        /// A project's own application, for a whole request.
        case http(body: [UInt8])
        case job(name: String)
    }

    let kind: Kind
    let caller: Principal
    let request: CurrentRequest?
    /// The names of all tables, if the script needs them.
    var tables: [String] = []

    /// Whether it changes nothing by itself.
    var isReading: Bool {
        switch kind {
        case .table(let task): task.operation == .read
        case .http: request.map { $0.http.method == .get || $0.http.method == .head } ?? false
        case .api, .job: false
        }
    }

    private var generation: String { request?.generation ?? "v2" }

    /// Writes its members of the message that starts a call.
    func write(to json: inout JSONWriter) {
        switch kind {
        case .table(let task):
            json.member("kind", text: "table")
            json.member("generation", text: generation)
            task.write(to: &json)
            writeRequest(to: &json, withParameters: task.script == .v1)
        case .api(let name, let path, let body):
            json.member("kind", text: "api")
            json.member("name", text: name)
            json.member("path", texts: path)
            json.member("body", base64: body)
            writeRequest(to: &json)
        case .http(let body):
            json.member("kind", text: "http")
            json.member("generation", text: generation)
            json.member("body", base64: body)
            writeRequest(to: &json)
        case .job(let name):
            json.member("kind", text: "job")
            json.member("name", text: name)
        }
        writeUser(to: &json)
        // As one text, since most scripts don't use it.
        if !tables.isEmpty { json.member("tables", text: tables.joined(separator: " ")) }
    }

    /// Writes its members of the message that runs it within a call, which knows the request.
    func writeOperation(to json: inout JSONWriter) {
        // An API needs nothing but what its call knows.
        guard case .table(let task) = kind else { return }
        json.member("generation", text: generation)
        task.write(to: &json)
        if task.isAside { writeRequest(to: &json) }
        writeUser(to: &json)
    }

    /// Writes the caller, as `user` or `context.user`.
    private func writeUser(to json: inout JSONWriter) {
        json.member("user")
        json.raw("{")
        json.member("level", text: ScriptCaller.level(caller))
        if let user = caller.user {
            json.member("id", text: user.id)
            json.member("provider", text: ScriptCaller.provider(of: user))
            json.member("claims")
            json.raw("{")
            for (name, value) in user.claims.sorted(by: { $0.key < $1.key }) {
                json.separate()
                json.string(name)
                json.raw(":")
                json.string(value)
            }
            json.raw("}")
            json.member("token", text: request?.http.fields["X-ZUMO-AUTH"])
        }
        json.raw("}")
    }

    /// Writes the request. Its fields are one text, which is parsed when a script looks at them.
    private func writeRequest(to json: inout JSONWriter, withParameters: Bool = false) {
        guard let request else { return }
        json.member("request")
        json.raw("{")
        json.member("method", text: request.http.method.name)
        json.member("url")
        let (target, fields) = (request.http.target, fields(of: request.http))
        json.string(target.span)
        json.member("address", text: request.address)
        json.member("secured", flag: request.http.isSecured)
        json.member("fields")
        json.string(fields.span)
        if withParameters {
            json.member("parameters")
            json.raw("{")
            for member in request.target.query where !member.name.isEmpty {
                json.separate()
                json.string(member.name)
                json.raw(":")
                json.string(member.value)
            }
            json.raw("}")
        }
        json.raw("}")
    }

    /// Returns the request's fields, without the keys of the server's operators.
    private func fields(of request: HTTPRequest) -> [UInt8] {
        var text: [UInt8] = []
        guard
            request.fields.contains("X-ZUMO-MASTER") || request.fields.contains("Authorization")
                || request.fields.contains("Cookie")
        else {
            request.fields.encode(into: &text)
            return text
        }
        // An application may identify its users in its own way.
        let keepsAuthorization =
            switch (kind, caller) {
            case (.http, .admin), (.table, _), (.api, _), (.job, _): false
            case (.http, _): true
            }
        for (name, value) in request.fields.all {
            let folded = name.lowercased()
            if folded == "x-zumo-master" || folded == "authorization" && !keepsAuthorization { continue }
            let value = folded == "cookie" ? ScriptCaller.cookies(value) : value
            if folded != "cookie" || !value.isEmpty { text.append(contentsOf: "\(name): \(value)\r\n".utf8) }
        }
        return text
    }
}

/// A table operation whose script is to run.
struct TableTask: Sendable {
    /// The table's name.
    let table: String
    let operation: Operation
    /// The SDK the script was written for.
    let script: ScriptGeneration
    /// nil for a list and for a new row.
    let id: RowID?
    let version: Version?
    /// The values that the client sent; nil if the operation has none.
    let item: [Property]?
    /// The members among these that no column can hold.
    let nested: [JSONMember]
    /// nil unless it is a list.
    let query: ScriptQuery?
    /// Whether it wasn't requested by a client.
    let isAside: Bool

    fileprivate func write(to json: inout JSONWriter) {
        json.member("table", text: table)
        json.member("operation", text: operation.rawValue)
        switch id {
        case .text(let text)?: json.member("rowID", text: text)
        case .integer(let number)?: json.member("rowID", number: number)
        case nil: break
        }
        json.member("version", text: version?.wireText)
        json.member("aside", flag: isAside)
        if let item {
            json.member("item")
            json.raw("{")
            for property in item {
                json.separate()
                json.string(script.name(ofColumn: property.name))
                json.raw(":")
                if let kept = nested.last(where: { $0.name.isExactly(property.name) }) {
                    json.value(kept.value)
                } else {
                    json.scriptValue(property.value)
                }
            }
            json.raw("}")
        }
        if let query {
            json.member("query")
            query.write(to: &json)
        }
    }
}
