import TableOperations
import Tables

/// What the generations' inserts share: the id of the new row, and whether the table can take it.
enum InsertPreparation {
    /// Refuses properties that the table can't take.
    static func check(_ properties: [Property], of table: Table) throws(RequestError) {
        do throws(TableError) {
            _ = try table.changes(from: properties, for: .insert)
        } catch {
            throw .table(error)
        }
    }

    /// The id of the new row: the client's, or a new one if it gives none, null, "" or 0 (v2-102).
    /// - Returns: nil if the table numbers its own rows, whatever the client sends.
    static func id(_ given: RequestBody.BodyID?, for request: TableRequest) throws(RequestError) -> RowID? {
        if request.table.rules.autoIncrement { return nil }
        guard let given, !isMissing(given) else {
            // What is done once has the same id, and so the same address, each time it is sent.
            guard let receipt = request.receipt, receipt.isOnce else { return .text(RandomID.make()) }
            return .text(RandomID.make(for: receipt))
        }
        let text = given.text
        if let fault = RowID.fault(inNew: text) { throw .idInvalid(fault) }
        return .text(text)
    }

    /// Refuses an id of the client's own in a table that numbers its rows. v2 passes over it.
    static func checkNumbered(_ given: RequestBody.BodyID?, for request: TableRequest) throws(RequestError) {
        if request.table.rules.autoIncrement, !isMissing(given) { throw .idGiven }
    }

    /// What the operations need to know about an insert whose body gives that id.
    static func call(for given: RequestBody.BodyID?, of request: TableRequest) -> WriteCall {
        request.table.rules.autoIncrement || isMissing(given) ? request.call.choosingID : request.call
    }

    private static func isMissing(_ given: RequestBody.BodyID?) -> Bool {
        given == nil || given == .text("") || given == .integer(0)
    }
}
