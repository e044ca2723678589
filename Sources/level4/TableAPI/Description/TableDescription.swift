import Access
import HTTPModel
import RouteDescription
import TableOperations
import Tables
public import ZumoProtocol

extension TableRouter {
    /// Adds what clients of the document's generation can do with the current tables.
    public func describe(in document: inout OpenAPIDocument) {
        guard let generation = settings.tables(in: document.generation) else { return }
        for table in operations.tables() {
            let description = TableDescription(
                table: table, generation: generation, operations: operations, settings: settings)
            let routes = description.routes
            guard !routes.isEmpty else { continue }
            document.routes += routes
            document.schemas += description.rows.schemas
        }
    }
}

/// What clients of one generation can do with one table.
struct TableDescription {
    let table: Table
    let generation: any TableGeneration
    let operations: TableOperations
    let settings: TableSettings

    var behaviour: TableBehaviour { operations.behaviour(of: table) }

    var rows: RowSchemas {
        RowSchemas(table: table, generation: generation, behaviour: behaviour)
    }

    var routes: [DescribedRoute] {
        [false, true].flatMap { hasID in
            Self.methods.compactMap { method in
                generation.operation(method, hasID: hasID).flatMap { route(method, $0, hasID: hasID) }
            }
        }
    }

    private static let methods: [HTTPMethod] = [.get, .post, .put, .patch, .delete]

    /// - Returns: nil for an operation that is disabled, or that can't succeed here.
    private func route(_ method: HTTPMethod, _ operation: Operation, hasID: Bool) -> DescribedRoute? {
        guard canSucceed(operation, hasID: hasID), let admission = admission(to: operation) else { return nil }
        let name = table.name.text
        let words = Self.words(method, operation, hasID: hasID)
        var route = DescribedRoute(
            method, "/tables/\(name)" + (hasID ? "/{id}" : ""), id: "\(words.verb)_\(name)", tag: name, words.summary)
        route.admission = admission
        let call = DescribedCall(method: method, operation: operation, hasID: hasID, of: self)
        route.parameters = call.parameters
        route.body = call.body
        route.isBodyOptional = call.isBodyOptional
        route.answers = call.answers
        return route
    }

    private func canSucceed(_ operation: Operation, hasID: Bool) -> Bool {
        switch operation {
        case .read, .insert: true
        case .update: hasID || generation.described.updatesByBodyID || behaviour.echoesParameters
        case .delete: hasID
        case .undelete:
            table.rules.softDelete && !behaviour.echoesParameters
                && !(generation.described.hasServicesColumns && table.rules.autoIncrement)
        }
    }

    private func admission(to operation: Operation) -> Admission? {
        Admission(nobody: settings.callers.authenticator.nobody(in: generation.generation)) { caller in
            let decisions = generation.admissions(to: operation).map {
                operations.decision(on: $0, of: table, for: caller)
            }
            return decisions.first { $0 != .allowed } ?? .allowed
        }
    }

    /// The verb begins the route's id, and each stands for one method and one form of the path.
    private static func words(
        _ method: HTTPMethod, _ operation: Operation, hasID: Bool
    ) -> (verb: String, summary: String) {
        switch operation {
        case .read: hasID ? ("get", "One row") : ("list", "A page of rows")
        case .insert: ("insert", "Adds a row")
        case .update where method == .put: ("replace", "Replaces a row")
        case .update: hasID ? ("update", "Changes columns of a row") : ("patch", "Changes the row that the body names")
        case .delete: ("delete", "Deletes a row")
        case .undelete: ("undelete", "Makes a deleted row a live one again")
        }
    }
}
