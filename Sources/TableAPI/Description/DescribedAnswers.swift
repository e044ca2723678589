import HTTPModel
import JSONText
import OData
import TableOperations
import Tables
import ZumoProtocol

extension DescribedCall {
    var answers: [DescribedAnswer] {
        var answers = [success] + conflicts
        answers += failures.map { generation.failure($0).description(in: generation) }
        if isConditionalRead {
            answers.append(DescribedAnswer(.notModified, "The client has the row as it is.", fields: [Self.tag]))
        }
        // A program's hooks refuse with any status.
        if settings.hooks[table.name] != nil, operation != .read {
            answers.append(
                DescribedAnswer(nil, "What the server's own code says.", DescribedContent(SharedSchema.error.reference))
            )
        }
        return answers
    }

    private static let tag = DescribedField("ETag", "The row's version, in quotes.")

    private var isConditionalRead: Bool {
        operation == .read && hasID && hasVersions && generation != .v2 && !behaviour.echoesParameters
    }

    private var success: DescribedAnswer {
        switch (operation, generation) {
        case (.read, _) where !hasID:
            var answer = DescribedAnswer(.ok, "A page of rows.", DescribedContent(rows.list))
            if generation == .v2, !behaviour.echoesParameters {
                answer.fields = [DescribedField("Link", "The next page: URL; rel=next. None on the last one.")]
            }
            return answer
        case (.read, _): return row(.ok, "The row.")
        case (.insert, _): return row(.created, "The new row.", isNew: true)
        case (.update, _): return row(.ok, "The row as it is now.")
        case (.delete, .v2): return row(.ok, "The deleted row.")
        case (.delete, _) where behaviour.echoesParameters: return row(.ok, "The row.")
        case (.delete, _): return DescribedAnswer(.noContent, "It is deleted.")
        case (.undelete, .v1): return row(.ok, "The row.")
        case (.undelete, _): return row(.created, "The row.")
        }
    }

    private func row(_ status: HTTPStatus, _ meaning: String, isNew: Bool = false) -> DescribedAnswer {
        var answer = DescribedAnswer(status, meaning, DescribedContent(rows.row))
        guard !behaviour.echoesParameters else { return answer }
        // Where columns can be left out the version can be.
        let isWhole = generation == .v3 || generation == .v2 && operation != .read
        if hasVersions { answer.fields.append(isWhole ? Self.tag.certain : Self.tag) }
        if generation == .v3 {
            answer.fields.append(DescribedField("Last-Modified", "When the row changed, to the second.").certain)
        }
        if isNew { answer.fields.append(DescribedField("Location", "The row's address.").certain) }
        return answer
    }

    /// The answers that carry the row that was in the way.
    private var conflicts: [DescribedAnswer] {
        guard !behaviour.echoesParameters else { return [] }
        let conflict = row(.conflict, "The row that is there; nothing was written.")
        let failed = row(.preconditionFailed, "The row, whose version is another; nothing was written.")
        return switch (operation, generation) {
        case (.read, .v3) where hasID: [failed]
        case (.read, _), (.insert, .v1): []
        case (.insert, .v3): [conflict]
        case (_, .v1): hasVersions ? [failed] : []
        case (_, .v2), (_, .v3): [conflict, failed]
        }
    }

    /// One failure of each status, whose words tell what it means.
    private var failures: [RequestError] {
        var failures: [RequestError] = [
            .unauthorized, .table(.unavailable(detail: "")), .table(.failed(detail: "")),
        ]
        failures.append(operation == .read && !hasID ? Self.badQuery : .version(.unknown("1")))
        if isOnRow { failures.append(.rowMissing) }
        if generation == .v3, isOnRow { failures.append(.rowDeleted) }
        if operation != .read {
            failures.append(.table(.full))
            if hidesRows { failures.append(.table(.outsideScope)) }
        }
        // An update of v3 may delete or undelete.
        if operation == .update, generation == .v3, table.rules.softDelete {
            failures += disabled.filter { [.delete, .undelete].contains($0) }.map {
                .operationDisabled($0, table: table.name.text)
            }
        }
        if operation == .insert, generation == .v1 || hidesRows, !table.rules.autoIncrement {
            failures.append(.idTaken)
        }
        failures += body.isEmpty ? [] : behaviour.required.map { .operation(.required(message: $0.message)) }
        if !body.isEmpty { failures += [.bodyNotObject, .mediaType("text/html", accepted: RequestBody.json)] }
        return failures
    }

    private static let badQuery = RequestError.table(.query(QueryError("$filter", at: 0, .unknownColumn("colour"))))
}
