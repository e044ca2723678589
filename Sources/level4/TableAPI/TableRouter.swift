public import Access
public import HTTPModel
public import TableOperations
public import Tables
public import ZumoProtocol

/// Somebody who looks at a table through the data page, which has made sure that it is an operator.
public struct DataPageCaller: Sendable {
    /// The maximum number of rows in an answer, instead of the table's own number.
    public let pageSize: Int

    /// - Parameter pageSize: in rows.
    public init(pageSize: Int) {
        self.pageSize = pageSize
    }
}

/// Answers every request below `/tables`: which table, which operation, in which generation.
public struct TableRouter: Route {
    /// What every caller's reads and writes pass, the server's own code's too.
    public let operations: TableOperations
    private let serving: TableRequest.Serving
    var settings: TableSettings { serving.settings }

    /// Makes a router over a store.
    public init(store: any TableStore, settings: TableSettings) {
        operations = TableOperations(
            store: store, access: settings.access, behaviours: settings.behaviours, notices: settings.notices,
            hooks: settings.hooks, scripts: settings.scripts, report: settings.reportHookFailure, clock: settings.clock,
            serves: settings.serves,
            memory: settings.memory)
        serving = TableRequest.Serving(operations, settings, Continuations(operations))
    }

    /// Its requests are counted apart.
    public var group: RouteGroup { .tables }

    /// Answers a request whose path begins with `tables` in any case.
    public func answer(_ sent: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard target.segments.first?.lowercased() == "tables" else { return nil }
        return await answer(sent, at: target, for: nil)
    }

    /// A request for a page with its whole query, and that in its target, where its link has folded it; nil where it says all
    /// itself, and where what it says is nobody's or not the caller's.
    public func unfolded(
        _ sent: HTTPRequest, at target: RequestTarget, for caller: Principal
    ) async -> (request: HTTPRequest, target: RequestTarget)? {
        guard target.segments.count == 2, sent.method == .get || sent.method == .head,
            let whole = try? await serving.unfolded(target, for: caller)
        else { return nil }
        return (sent.unfolded(as: whole), whole)
    }

    /// Answers a request for a table that the server's own data page makes for an operator.
    /// - Parameter page: nil for a client, who has to identify itself.
    public func answer(_ sent: HTTPRequest, at target: RequestTarget, for page: DataPageCaller?) async -> RouteResponse?
    {
        let name = target.segments.count > 1 ? target.segments[1] : ""
        let table = operations.table(named: name)
        let id = target.segments.count == 3 ? target.segments[2] : nil
        let version = serving.generation(toldBy: sent, target)
        guard let generation = serving.tables(in: try? version.get()) else { return nil }
        let operation = generation.operation(sent.method, hasID: id != nil)
        var sender = RequestCaller(generation.generation)
        do throws(RequestError) {
            // A token that is no good is told before a version that is.
            let caller = page != nil ? .admin(nil) : try await serving.caller(of: sent, in: generation.generation)
            sender.know(caller)
            guard target.segments.count == 2 || target.segments.count == 3, !name.isEmpty, id != "" else {
                throw .unknownPath
            }
            if sent.method != .options { _ = try version.get() }
            // First, in v3 too, whose servers said 400 and 404 before 401 (v3-3): who doesn't belong learns of no row.
            let unfolded = operation == .read && id == nil ? try await serving.unfolded(target, for: caller) : nil
            let start = TableRequest.Start(
                http: unfolded.map(sent.unfolded) ?? sent, target: unfolded ?? target, generation: generation,
                caller: caller, page: page,
                serving: serving)
            let admission: TableAdmission? =
                if let table, let operation { try admit(start, to: operation, of: table) } else { nil }
            let response = try await response(start, name, table, id, operation, admission)
            var answer = RouteResponse(response, to: sender, of: table?.name.text ?? name, operation)
            if let unfolded { answer.unfolded = unfolded }
            return answer
        } catch {
            return RouteResponse(
                generation.failure(error), in: generation.generation, to: sender,
                of: table?.name.text ?? (name.isEmpty ? nil : name), operation)
        }
    }

    private func admit(
        _ start: TableRequest.Start, to operation: Operation, of table: Table
    ) throws(RequestError) -> TableAdmission {
        // Whatever else the generation asks for.
        for needed in start.generation.admissions(to: operation) where needed != operation {
            _ = try operations.admission(of: start.caller, to: needed, table)
        }
        return try operations.admission(of: start.caller, to: operation, table)
    }

    // Inlined, as each function that is waited in costs some hundred instructions.
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
            // Tables are made by their first insert here, so one that has none yet is empty.
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
        // A table that this very request has made is yet to be asked.
        var admission = if let admission { admission } else { try admit(start, to: operation, of: table) }
        if operations.behaviour(of: table).echoesParameters {
            return try ParameterEcho.answer(operation, id: id, to: request)
        }
        if let scripts = serving.scripts(of: table) {
            request.inHand = inHand(request, for: scripts, around: operation)
            admission = try request.admit(to: operation)
        }
        let answer = try await request.generation.answer(admission, id: id, to: request)
        return try response(answer, operation, id: id, to: request)
    }

    /// What scripts see of a request.
    private func inHand(
        _ request: TableRequest, for scripts: any TableScripts, around operation: Operation
    ) -> CurrentRequest {
        let passes = request.caller == .admin(nil) && CurrentRequest.passesScripts(request.target)
        return CurrentRequest(
            settings.proxies.proved(request.http), request.target, in: request.generation.generation.name,
            from: ClientAddress.of(request.http, trusting: settings.proxies), passesScripts: passes,
            keepsNestedMembers: scripts.has(operation, of: request.table.name, passing: passes))
    }

    /// The response to a request, with what scripts add to it.
    private func response(
        _ answer: OperationAnswer<HTTPResponse>, _ operation: Operation, id: String?, to request: TableRequest
    ) throws(RequestError) -> HTTPResponse {
        var response: HTTPResponse
        switch answer {
        case .result(let own): response = own
        case .script(let answer):
            if answer.isMissing { throw request.generation.rowMissing(id) }
            if var written = request.inHand?.answerFields.response {
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
        guard let fields = request.inHand?.answerFields else { return response }
        if operation == .insert, let id = fields.chosenID, response.fields.contains("Location") {
            response.fields.removeAll("Location")
            response.fields.append("Location", request.address.location(of: id, in: request.table))
        }
        fields.append(to: &response.fields)
        response.confineDocument()
        return response
    }

    /// - Returns: nil for a table that the first insert would make.
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
            // A name of the database's own, or of a table that the operator took out of the configuration.
            throw .unknownTable(name)
        } catch {
            throw .table(error)
        }
    }

    /// Answers a method that is no operation on rows.
    private func withoutOperation(_ start: TableRequest.Start, allowed: String) throws(RequestError) -> HTTPResponse {
        guard start.http.method == .options else { throw .methodNotAllowed(start.http.method, allowed: allowed) }
        return start.generation.options(allowed)
    }
}
