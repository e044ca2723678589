public import Access
public import HTTPModel
public import TableOperations
public import Tables
public import ZumoProtocol

/// A user of the data page, who has already been identified as an operator.
public struct DataPageCaller: Sendable {
    /// The maximum number of rows in an answer, instead of the table's own limit.
    public let pageSize: Int

    /// - Parameter pageSize: the maximum number of rows in an answer.
    public init(pageSize: Int) {
        self.pageSize = pageSize
    }
}

/// Answers every request below `/tables`: determines the table, the operation and the generation.
public struct TableRouter: Route {
    /// The checks that all reads and writes pass, including those of the server's own code.
    public let operations: TableOperations
    private let serving: TableRequest.Serving
    var settings: TableSettings { serving.settings }

    /// Creates a router for a store.
    public init(store: any TableStore, settings: TableSettings) {
        operations = TableOperations(
            store: store, access: settings.access, behaviours: settings.behaviours, notices: settings.notices,
            hooks: settings.hooks, scripts: settings.scripts, report: settings.reportHookFailure, clock: settings.clock,
            serves: settings.serves,
            memory: settings.memory)
        serving = TableRequest.Serving(operations, settings, Continuations(operations))
    }

    /// Its requests are counted separately.
    public var group: RouteGroup { .tables }

    /// Answers a request whose path begins with `tables`, in any case.
    public func answer(_ sent: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard target.segments.first?.lowercased() == "tables" else { return nil }
        return await answer(sent, at: target, for: nil)
    }

    /// Returns a page request and its target with the complete query if its link has folded it; nil if the query is
    /// complete, or if the link isn't valid for the caller.
    public func unfolded(
        _ sent: HTTPRequest, at target: RequestTarget, for caller: Principal
    ) async -> (request: HTTPRequest, target: RequestTarget)? {
        guard target.segments.count == 2, sent.method == .get || sent.method == .head,
            let whole = try? await serving.unfolded(target, for: caller)
        else { return nil }
        return (sent.unfolded(as: whole), whole)
    }

    /// Answers a request for a table, from a client or from the server's own data page on behalf of an operator.
    /// - Parameter page: nil for a client, which has to identify itself.
    public func answer(_ sent: HTTPRequest, at target: RequestTarget, for page: DataPageCaller?) async -> RouteResponse?
    {
        let name = target.segments.count > 1 ? target.segments[1] : ""
        let table = operations.table(named: name)
        let id = target.segments.count == 3 ? target.segments[2] : nil
        let version = serving.generation(toldBy: sent, target)
        guard let generation = serving.tables(in: try? version.get()) else { return nil }
        let operation = generation.operation(sent.method, hasID: id != nil)
        var requestCaller = RequestCaller(generation.generation)
        do throws(RequestError) {
            // An invalid token is reported before an invalid version.
            let caller = page != nil ? .admin(nil) : try await serving.caller(of: sent, in: generation.generation)
            requestCaller.know(caller)
            guard target.segments.count == 2 || target.segments.count == 3, !name.isEmpty, id != "" else {
                throw .unknownPath
            }
            if sent.method != .options { _ = try version.get() }
            // Before all else, in v3 too, whose servers gave 400 and 404 before 401 (v3-3): outsiders learn of no row.
            let unfolded = operation == .read && id == nil ? try await serving.unfolded(target, for: caller) : nil
            let start = TableRequest.Start(
                http: unfolded.map(sent.unfolded) ?? sent, target: unfolded ?? target, generation: generation,
                caller: caller, page: page,
                serving: serving)
            let admission: TableAdmission? =
                if let table, let operation { try admit(start, to: operation, of: table) } else { nil }
            let response = try await response(start, name, table, id, operation, admission)
            var answer = RouteResponse(response, to: requestCaller, of: table?.name.text ?? name, operation)
            if let unfolded { answer.unfolded = unfolded }
            return answer
        } catch {
            return RouteResponse(
                generation.failure(error), in: generation.generation, to: requestCaller,
                of: table?.name.text ?? (name.isEmpty ? nil : name), operation)
        }
    }

    private func admit(
        _ start: TableRequest.Start, to operation: Operation, of table: Table
    ) throws(RequestError) -> TableAdmission {
        // Other rights that the generation requires.
        for needed in start.generation.admissions(to: operation) where needed != operation {
            _ = try operations.admission(of: start.caller, to: needed, table)
        }
        return try operations.admission(of: start.caller, to: operation, table)
    }

    // Inlined, as each async function costs some hundred instructions.
    @inline(__always)
    private func response(
        _ start: TableRequest.Start, _ name: String, _ known: Table?, _ id: String?, _ operation: Operation?,
        _ admission: TableAdmission?
    ) async throws(RequestError) -> HTTPResponse {
        guard let table = if let known { known } else { try await table(toBe: name, start, operation) } else {
            guard let operation else {
                let methods = start.generation.methods(hasID: id != nil, canUndelete: false)
                return try withoutOperation(start, allowed: methods)
            }
            // The first insert creates the table, so one that doesn't exist yet is empty.
            guard operation == .read, id == nil else {
                throw start.generation.rowMissing(id)
            }
            return try start.generation.emptyList(start.target)
        }
        guard let operation else {
            let methods = start.generation.methods(hasID: id != nil, canUndelete: table.rules.softDelete)
            return try withoutOperation(start, allowed: methods)
        }
        var request = TableRequest(start, of: table)
        // The caller's access to a table that this request has just created has not been checked yet.
        var admission = if let admission { admission } else { try admit(start, to: operation, of: table) }
        if operations.behaviour(of: table).echoesParameters {
            return try ParameterEcho.answer(operation, id: id, to: request)
        }
        if let scripts = serving.scripts(of: table) {
            request.currentRequest = currentRequest(request, for: scripts, around: operation)
            admission = try request.admit(to: operation)
        }
        let answer = try await request.generation.answer(admission, id: id, to: request)
        return try response(answer, operation, id: id, to: request)
    }

    /// Returns a request as scripts see it.
    private func currentRequest(
        _ request: TableRequest, for scripts: any TableScripts, around operation: Operation
    ) -> CurrentRequest {
        let passes = request.caller == .admin(nil) && CurrentRequest.passesScripts(request.target)
        return CurrentRequest(
            settings.proxies.proved(request.http), request.target, in: request.generation.generation.name,
            from: ClientAddress.of(request.http, trusting: settings.proxies), passesScripts: passes,
            keepsNestedMembers: scripts.has(operation, of: request.table.name, passing: passes))
    }

    /// Returns the response to a request, with the fields that scripts add.
    private func response(
        _ answer: OperationAnswer<HTTPResponse>, _ operation: Operation, id: String?, to request: TableRequest
    ) throws(RequestError) -> HTTPResponse {
        var response: HTTPResponse
        switch answer {
        case .result(let own): response = own
        case .script(let answer):
            if answer.isMissing { throw request.generation.rowMissing(id) }
            if var written = request.currentRequest?.answerFields.response {
                written.confineDocument()
                return written
            }
            response =
                ScriptedResponse(
                    answer: answer,
                    status: answer.isInTheWay
                        ? try request.generation.conflict(with: answer, of: operation, to: request) : answer.status,
                    operation: operation, isOfRow: id != nil,
                    form: try request.generation.scriptedForm(of: answer, to: request),
                    location: { request.address.location(of: $0, in: request.table) }
                ).http
        }
        guard let fields = request.currentRequest?.answerFields else { return response }
        if operation == .insert, let id = fields.chosenID, response.fields.contains("Location") {
            response.fields.removeAll("Location")
            response.fields.append("Location", request.address.location(of: id, in: request.table))
        }
        fields.append(to: &response.fields)
        response.confineDocument()
        return response
    }

    /// - Returns: nil for a table that the first insert would create.
    private func table(
        toBe name: String, _ start: TableRequest.Start, _ operation: Operation?
    ) async throws(RequestError) -> Table? {
        guard settings.autoCreateTables, let identifier = Identifier(name) else { throw .unknownTable(name) }
        guard operation == .insert else { return nil }
        var definition = TableDefinition(name: identifier, rules: settings.clientTableRules)
        if start.generation.numbersTablesByFirstID, case .integer(let number)? = try RequestBody(start.http).id,
            number != 0
        {
            definition.rules.autoIncrement = true
        }
        let draft = Table(name: identifier, columns: [], rules: definition.rules)
        try start.generation.checkInsert(TableRequest(start, of: draft))
        do throws(TableError) {
            return try await operations.makeTable(definition)
        } catch .definition {
            // The name is reserved by the database, or belongs to a table that was removed from the configuration.
            throw .unknownTable(name)
        } catch {
            throw .table(error)
        }
    }

    /// Answers a method that isn't an operation on rows.
    private func withoutOperation(_ start: TableRequest.Start, allowed: String) throws(RequestError) -> HTTPResponse {
        guard start.http.method == .options else { throw .methodNotAllowed(start.http.method, allowed: allowed) }
        return start.generation.options(allowed)
    }
}
