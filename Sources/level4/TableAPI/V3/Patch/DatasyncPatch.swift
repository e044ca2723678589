import HTTPModel
import JSONText
import Scalars
import TableOperations
import Tables

/// `PATCH /tables/NAME/ID` in v3, as on Microsoft's server: members to merge into the row, or a JSON patch.
struct DatasyncPatch {
    private enum Form {
        case merge(DatasyncBody)
        case patch(JSONPatch)
    }

    private let form: Form
    private let request: TableRequest
    private let id: String

    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Updating>, id: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let patch = try DatasyncPatch(request, id: id)
        let update = DatasyncUpdate(
            request: request, admitted: admitted, id: try request.pathID(id), includesTombstones: patch.undeletes,
            deleted: patch.deleted, readsRow: patch.readsRow)
        return try await update.answer(patch.update)
    }

    /// Reads the body, and checks what can be checked without the row.
    init(_ request: TableRequest, id: String) throws(RequestError) {
        self.request = request
        self.id = id
        let types = RequestBody.json + [JSONPatch.mediaType]
        if try RequestBody.mediaType(request.http.fields, among: types) == JSONPatch.mediaType {
            form = .patch(try JSONPatch(request.http.body))
        } else {
            let body = try DatasyncBody(request.http.body, of: request.table, keeping: request.nestedMembers)
            form = .merge(body)
            try check(id: body)
        }
    }

    private var undeletes: Bool {
        switch form {
        case .merge(let body): body.deleted == false
        case .patch(let patch): patch.undeletes
        }
    }

    private var deleted: Bool? {
        switch form {
        case .merge(let body): body.deleted
        case .patch(let patch): patch.undeletes ? false : patch.deletes ? true : nil
        }
    }

    private var readsRow: Bool {
        switch form {
        case .merge(let body): !body.stated.isEmpty
        case .patch(let patch): patch.readsRow
        }
    }

    /// Returns the change that the patch makes to a row, which is nil if it isn't read.
    /// - Parameter passesTests: whether to proceed as if all tests in it were true.
    private func update(on row: DatasyncRow?, passesTests: Bool) throws(RequestError) -> RowUpdate {
        let body: DatasyncBody
        switch form {
        case .merge(let merged): body = merged
        case .patch(let patch):
            let members = try patch.members(on: row, of: request.table, passesTests: passesTests) { column in
                switch request.isDeclared(column) ? column.type.emptyValue : .null {
                case .integer(let value): .integer(value)
                case .boolean(let value): .boolean(value)
                case .null, .number, .decimal, .text, .date: .null
                }
            }
            body = try DatasyncBody(members, of: request.table, keeping: request.nestedMembers)
            try check(id: body)
        }
        if let row { try Self.check(body.stated, row) }
        var update = RowUpdate(body.properties)
        update.deleted = body.deleted
        // The result of all steps counts: one that undeletes may be followed by one that deletes again (v3-100).
        update.includesTombstones = body.deleted == false
        return update
    }

    private func check(id body: DatasyncBody) throws(RequestError) {
        guard let bodyID = body.id, !bodyID.text.utf8.elementsEqual(id.utf8) else { return }
        throw .idMismatch
    }

    /// Allows the system columns in a patch only with their current values.
    private static func check(
        _ stated: [(column: SystemColumn, value: JSONValue)], _ row: DatasyncRow
    ) throws(RequestError) {
        for (column, value) in stated {
            guard case .string(let text) = value, case .string(let current)? = row.values[.system(column)] else {
                throw .systemMemberChanged(column)
            }
            let isSame =
                column == .version
                ? Precondition(versionIn: text) == Precondition(versionIn: current) : Instant(text) == Instant(current)
            if !isSame { throw .systemMemberChanged(column) }
        }
    }
}
