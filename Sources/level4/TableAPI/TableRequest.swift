import Access
import ContinuationTokens
import HTTPModel
import OData
import TableOperations
import Tables
import ZumoProtocol

/// One request for one table, with everything that an operation needs to answer it.
struct TableRequest {
    let table: Table
    /// The request as scripts see it; nil if the table has none.
    var currentRequest: CurrentRequest?
    private let start: Start

    /// What is known of a request before its table is. It is passed around often, so it is a single reference.
    final class Start: Sendable {
        let http: HTTPRequest
        let target: RequestTarget
        let generation: any TableGeneration
        let caller: Principal
        /// nil for a client.
        let page: DataPageCaller?
        fileprivate let serving: Serving

        init(
            http: HTTPRequest, target: RequestTarget, generation: any TableGeneration, caller: Principal,
            page: DataPageCaller?, serving: Serving
        ) {
            self.http = http
            self.target = target
            self.generation = generation
            self.caller = caller
            self.page = page
            self.serving = serving
        }
    }

    /// What all requests for a server's tables share. One reference per request, since there are dozens of settings.
    final class Serving: Sendable {
        let operations: TableOperations
        let settings: TableSettings
        let continuations: Continuations
        /// Copied from the settings, because reading them there would copy all the others.
        private let callers: Callers
        private let tables: [any TableGeneration]
        private let fallback: Generation

        init(_ operations: TableOperations, _ settings: TableSettings, _ continuations: Continuations) {
            self.operations = operations
            self.settings = settings
            self.continuations = continuations
            callers = settings.callers
            tables = settings.tables
            fallback = settings.generations.fallback
        }

        /// Identifies the caller of a request as `Callers.countedPrincipal` does, but suspends only where necessary.
        @inline(__always)
        func caller(of request: HTTPRequest, in generation: Generation) async throws(RequestError) -> Principal {
            do throws(CallerFault) {
                if !callers.areKeysShownAtOnce { try await callers.waitToShowKeys(of: request, in: generation) }
                let caller = try callers.shownPrincipal(of: request, in: generation)
                if caller.user != nil { try await callers.count(caller, of: request) }
                return caller
            } catch {
                throw .caller(error)
            }
        }

        /// Returns the tables of a generation, or of the default one; nil if that generation has none.
        func tables(in generation: Generation?) -> (any TableGeneration)? {
            let generation = generation ?? fallback
            return tables.first { $0.generation == generation }
        }

        /// Returns the generation that a request states.
        func generation(toldBy request: HTTPRequest, _ target: RequestTarget) -> Result<Generation, RequestError> {
            do throws(Generations.Fault) {
                return .success(try settings.generations.told(by: request, target))
            } catch {
                return .failure(.version(error))
            }
        }

        /// Returns the scripts if any of them belongs to an operation on the table.
        func scripts(of table: Table) -> (any TableScripts)? {
            guard let scripts = settings.scripts,
                Operation.allCases.contains(where: { scripts.has($0, of: table.name, passing: false) })
            else { return nil }
            return scripts
        }
    }

    init(_ start: Start, of table: Table) {
        self.start = start
        self.table = table
    }

    var http: HTTPRequest { start.http }
    var target: RequestTarget { start.target }
    var generation: any TableGeneration { start.generation }
    var caller: Principal { start.caller }
    /// nil for a client.
    var page: DataPageCaller? { start.page }
    var operations: TableOperations { start.serving.operations }
    var settings: TableSettings { start.serving.settings }
    var continuations: Continuations { start.serving.continuations }

    /// Returns the precondition of `If-Match`; nil without the field. `*` requires only that the row exists (v2-150,
    /// v2-154).
    ///
    /// A tag is refused only if it contains no version: proxies make tags weak, and SDKs quote them twice.
    func ifMatch() throws(RequestError) -> Precondition? {
        let values = http.fields.values("If-Match")
        let read = IfMatch(values)
        if case .tag(let text)? = read, let version = Version(wireText: text) { return .version(version) }
        if values.count == 1, let version = Version(rewritten: values[0]) { return .version(version) }
        switch read {
        case nil: return nil
        case .any: return Precondition.none
        case .tag: return .unmatchable
        case .weak: throw .ifMatchWeak
        case .list: throw .ifMatchList
        case .malformed: throw .ifMatchMalformed
        }
    }

    /// Returns the id in a request's path.
    func pathID(_ text: String) throws(RequestError) -> RowID {
        guard let id = RowID(text, in: table) else { throw .rowMissing }
        return id
    }

    /// Whether the row that prevents an insert may be shown: a caller who may only insert is merely told that the id is
    /// taken.
    var mayShowRow: Bool {
        [Operation.read, .update].contains { operations.decision(on: $0, of: table, for: caller) == .allowed }
    }

    /// Admits the caller to an operation other than the requested one.
    func admit(to operation: Operation) throws(RequestError) -> TableAdmission {
        try operations.admission(of: caller, to: operation, table, by: currentRequest)
    }

    /// The address by which the client reaches this server.
    var address: PublicAddress {
        PublicAddress(http, publicURL: settings.publicURL, trusting: settings.proxies)
    }

    /// Returns the address of a row of the table.
    func location(of id: RowID) -> String { address.location(of: id.text, in: table) }

    /// On whose behalf a list is read: the user, otherwise the client's address.
    var asker: String {
        if let user = caller.user { return "user \(user.id)" }
        return "address \(ClientAddress.limited(http, trusting: settings.proxies))"
    }

    /// Members of the body that no column can hold, if a script may use them.
    var nestedMembers: NestedMembers? { currentRequest?.nestedMembers }

    /// The details of a write that the operations need.
    var call: WriteCall {
        WriteCall(parameters: parameters, receipt: receipt, answer: http.answer)
    }

    /// The app's own members of the query: neither options of the protocol nor the API version.
    var parameters: [WriteCall.Parameter] {
        target.query.filter { !Self.isProtocolMember($0.name) }.map { WriteCall.Parameter($0.name, $0.value) }
    }

    private static func isProtocolMember(_ name: String) -> Bool {
        name.hasPrefix("$") || name.hasPrefix("__") || name.lowercased() == "zumo-api-version"
    }

    /// Returns the text by which a link names the last row of a page; nil if only `$skip` can continue.
    /// - Parameter count: the count of the list, for the following pages to return.
    func token(
        behind page: Page<RowJSON>, of query: TableQuery, count: Int64? = nil
    ) async throws(RequestError) -> String? {
        guard let place = page.cursor else { return nil }
        return try await storing(await continuations.text(of: place, count: count, in: query, of: table))
    }

    /// Returns the place that a link's text stands for.
    func place(from token: String, in query: TableQuery) async throws(RequestError) -> SealedCursor {
        let place = try await storing(await continuations.place(from: token, in: query, of: table))
        guard let place else { throw .unknownContinuation }
        return place
    }

    /// Reads one row, without suspending if possible: an async call costs as much as many others.
    /// - Returns: nil if there is none that the caller may see.
    @inline(__always)
    func find<Row: RowVisitor>(
        _ id: RowID, in admitted: AdmittedTable<Reading>, select: [SelectedName]? = nil, includeDeleted: Bool,
        into row: Row
    ) async throws(RequestError) -> OperationAnswer<Row?> {
        do throws(OperationError) {
            if select == nil {
                var row = row
                switch try operations.findAtOnce(id, in: admitted, includeDeleted: includeDeleted, into: &row) {
                case .found: return .result(row)
                case .missing: return .result(nil)
                case .waits: break
                }
            }
            return try await operations.find(
                id, in: admitted, select: select, includeDeleted: includeDeleted, into: row)
        } catch {
            throw .operation(error)
        }
    }

    /// Reads a page of rows.
    @inline(__always)
    func list<Rows: RowVisitor>(
        _ query: TableQuery, in admitted: AdmittedTable<Reading>, into rows: Rows
    ) async throws(RequestError) -> OperationAnswer<Page<Rows>> {
        do throws(OperationError) {
            return try await operations.list(query, in: admitted, into: rows)
        } catch {
            throw .operation(error)
        }
    }

    /// Performs a write.
    @inline(__always)
    func perform<Row: RowVisitor>(
        _ write: TableWrite, into row: Row
    ) async throws(RequestError) -> OperationAnswer<WriteResult<Row>> {
        do throws(OperationError) {
            return try await operations.perform(write, into: row)
        } catch {
            throw .operation(error)
        }
    }

    /// Runs an operation and turns its errors into this request's.
    func operating<Result>(
        _ call: @autoclosure () async throws(OperationError) -> Result
    ) async throws(RequestError) -> Result {
        do throws(OperationError) {
            return try await call()
        } catch {
            throw .operation(error)
        }
    }

    /// Runs a call to the store and turns its errors into this request's.
    func storing<Result>(
        _ call: @autoclosure () async throws(TableError) -> Result
    ) async throws(RequestError) -> Result {
        do throws(TableError) {
            return try await call()
        } catch {
            throw .table(error)
        }
    }
}

extension TableOperations {
    /// Calls `admit` and turns its refusals into the request's.
    func admission(
        of caller: Principal, to operation: Operation, _ table: Table, by request: CurrentRequest? = nil
    ) throws(RequestError) -> TableAdmission {
        do throws(AdmissionFault) {
            return try admit(caller, to: operation, of: table, by: request)
        } catch {
            switch error {
            case .unauthorized: throw .unauthorized
            case .disabled(let operation): throw .operationDisabled(operation, table: table.name.text)
            }
        }
    }
}
