import TableOperations
import Tables

/// The shared part of all generations' inserts: the id of the new row, and whether the table accepts the row.
enum InsertPreparation {
    /// Refuses properties that the table can't store.
    static func check(_ properties: [Property], of table: Table) throws(RequestError) {
        do throws(TableError) {
            _ = try table.changes(from: properties, for: .insert)
        } catch {
            throw .table(error)
        }
    }

    /// Returns the id of the new row: the client's, or a generated one if that is missing, null, "" or 0 (v2-102).
    /// - Returns: nil if the table numbers its own rows, whatever the client sends.
    static func id(_ given: RequestBody.BodyID?, for request: TableRequest) throws(RequestError) -> RowID? {
        if request.table.rules.autoIncrement { return nil }
        guard let given, !isMissing(given) else {
            // A request marked as one to be done once gets the same id, and so the same address, each time it is sent.
            guard let receipt = request.receipt, receipt.isOnce else { return .text(RandomID.make()) }
            return .text(RandomID.make(for: receipt))
        }
        let text = given.text
        if let fault = RowID.fault(inNew: text) { throw .idInvalid(fault) }
        return .text(text)
    }

    /// Refuses an id from the client in a table that numbers its rows. v2 ignores it.
    static func checkNumbered(_ given: RequestBody.BodyID?, for request: TableRequest) throws(RequestError) {
        if request.table.rules.autoIncrement, !isMissing(given) { throw .idGiven }
    }

    /// Returns the details of an insert whose body gives that id.
    static func call(for given: RequestBody.BodyID?, of request: TableRequest) -> WriteCall {
        request.table.rules.autoIncrement || isMissing(given) ? request.call.choosingID : request.call
    }

    private static func isMissing(_ given: RequestBody.BodyID?) -> Bool {
        given == nil || given == .text("") || given == .integer(0)
    }
}
