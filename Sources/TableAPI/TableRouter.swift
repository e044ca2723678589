import Access
public import HTTPModel
import OData
public import Tables

/// Answers every request below `/tables`: which table, which operation, in which generation.
public struct TableRouter: Sendable {
    private let store: any TableStore
    private let settings: TableSettings
    private let continuations: Continuations

    /// What can be done with a table, or with a row that can be undeleted, as an Allow field says it.
    static let tableMethods = "GET,HEAD,POST,PATCH,DELETE"
    /// The same with a row of a table without soft delete.
    static let rowMethods = "GET,HEAD,PATCH,DELETE"

    /// Makes a router over a store.
    public init(store: any TableStore, settings: TableSettings) {
        self.store = store
        self.settings = settings
        continuations = Continuations(store)
    }

    /// Answers a request whose path begins with `tables` in any case. Never fails: errors become answers.
    public func respond(to request: HTTPRequest, target: RequestTarget) async -> TableAnswer {
        let name = target.segments.count > 1 ? target.segments[1] : ""
        let table = Identifier(name).flatMap { store.table(named: $0) }
        let id = target.segments.count == 3 ? target.segments[2] : nil
        let operation = Self.operation(request.method, hasID: id != nil)
        do throws(RequestError) {
            let principal = try Caller.principal(of: request, by: settings.authenticator)
            guard target.segments.count == 2 || target.segments.count == 3, !name.isEmpty, id != "" else {
                throw .unknownPath
            }
            if request.method != .options {
                try APIVersion.check(request, target, isRequired: settings.requireVersion)
            }
            if let table, let operation { try admit(principal, to: operation, of: table) }
            let response = try await response(request, target, name, table, id, operation)
            return TableAnswer(
                response: response, table: table?.name.text ?? name, operation: operation, detail: nil)
        } catch {
            let failure = ErrorResponse(error)
            return TableAnswer(
                response: failure.response, table: table?.name.text ?? (name.isEmpty ? nil : name),
                operation: operation, detail: failure.detail)
        }
    }

    private func admit(_ principal: Principal, to operation: Operation, of table: Table) throws(RequestError) {
        guard let rules = settings.access[table.name] else { return }
        switch rules.decision(on: operation, for: principal) {
        case .allowed: return
        case .unauthorized: throw .unauthorized
        case .disabled: throw .operationDisabled(operation, table: table.name.text)
        }
    }

    private static func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        switch method {
        case .get, .head: .read
        case .post: hasID ? .undelete : .insert
        case .patch: .update
        case .delete: .delete
        case .put, .options, .other: nil
        }
    }

    private func response(
        _ http: HTTPRequest, _ target: RequestTarget, _ name: String, _ known: Table?, _ id: String?,
        _ operation: Operation?
    ) async throws(RequestError) -> HTTPResponse {
        guard let table = try await table(known, name, http, target, operation) else {
            // Tables are made by their first insert here, so one that has none yet is empty.
            guard let operation else {
                return try withoutOperation(http.method, allowed: id == nil ? Self.tableMethods : Self.rowMethods)
            }
            guard operation == .read, id == nil else { throw .rowMissing }
            return ListRows.empty(wrapped: try Options.parse(target.query).wantsCount)
        }
        let methods = id == nil || table.rules.softDelete ? Self.tableMethods : Self.rowMethods
        guard let operation else { return try withoutOperation(http.method, allowed: methods) }
        let request = TableRequest(
            http: http, target: target, table: table, store: store, settings: settings, continuations: continuations)
        switch (operation, id) {
        case (.read, nil): return try await ListRows.answer(request)
        case (.read, let id?): return try await FindRow.answer(request, id: id)
        case (.insert, _): return try await InsertRow.answer(request)
        case (.update, _): return try await UpdateRow.answer(request, id: id)
        case (.delete, let id?): return try await DeleteRow.answer(request, id: id)
        case (.undelete, let id?): return try await UndeleteRow.answer(request, id: id)
        case (.delete, nil), (.undelete, nil): throw .idMissing(http.method)
        }
    }

    /// - Returns: nil for a table that the first insert would make.
    private func table(
        _ known: Table?, _ name: String, _ http: HTTPRequest, _ target: RequestTarget, _ operation: Operation?
    ) async throws(RequestError) -> Table? {
        if let known { return known }
        guard settings.autoCreateTables, let identifier = Identifier(name) else { throw .unknownTable(name) }
        guard operation == .insert else { return nil }
        var definition = TableDefinition(name: identifier, rules: settings.clientTableRules)
        // The body decides about the ids.
        if case .integer(let number)? = try RequestBody(http).id, number != 0 { definition.rules.autoIncrement = true }
        let draft = Table(name: identifier, columns: [], rules: definition.rules)
        try InsertRow.check(
            TableRequest(
                http: http, target: target, table: draft, store: store, settings: settings,
                continuations: continuations))
        do throws(TableError) {
            return try await store.createTable(definition)
        } catch .definition {
            // A name of the database's own, or of a table that the operator took out of the configuration.
            throw .unknownTable(name)
        } catch {
            throw .table(error)
        }
    }

    /// Answers a method that is no operation on rows.
    private func withoutOperation(_ method: HTTPMethod, allowed: String) throws(RequestError) -> HTTPResponse {
        guard method == .options else { throw .methodNotAllowed(method, allowed: allowed) }
        return options(allowed)
    }

    /// The Node server's answer: the methods as a field and as the body.
    private func options(_ methods: String) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Allow", methods)
        fields.append("Content-Type", "text/plain; charset=utf-8")
        return HTTPResponse(.ok, fields: fields, body: Array(methods.utf8))
    }
}
