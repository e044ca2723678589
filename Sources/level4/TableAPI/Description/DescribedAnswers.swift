import HTTPModel
import JSONText
import OData
import RouteDescription
import TableOperations
import Tables
import ZumoProtocol

extension DescribedCall {
    var answers: [ResponseDescription] {
        var answers = [success] + conflicts
        answers += failures.map { generation.failure($0).description(in: generation.generation) }
        if isConditionalRead {
            answers.append(ResponseDescription(.notModified, "The client has the row as it is.", fields: [Self.tag]))
        }
        // A program's hooks may refuse with any status.
        if settings.hooks[table.name] != nil, operation != .read {
            answers.append(
                ResponseDescription(
                    nil, "What the server's own code says.", DescribedContent(SharedSchema.error.reference))
            )
        }
        return answers
    }

    private static let tag = DescribedField("ETag", "The row's version, in quotes.")

    private var isConditionalRead: Bool {
        operation == .read && hasID && hasVersions && described.isReadConditional && !behaviour.echoesParameters
    }

    private var success: ResponseDescription {
        switch operation {
        case .read where !hasID:
            var answer = ResponseDescription(.ok, "A page of rows.", DescribedContent(rows.list))
            if described.listHasLink, !behaviour.echoesParameters {
                answer.fields = [DescribedField("Link", "The next page: URL; rel=next. None on the last one.")]
            }
            return answer
        case .read: return row(.ok, "The row.")
        case .insert: return row(.created, "The new row.", isNew: true)
        case .update: return row(.ok, "The row as it is now.")
        case .delete where described.deleteAnswersRow: return row(.ok, "The deleted row.")
        case .delete where behaviour.echoesParameters: return row(.ok, "The row.")
        case .delete: return ResponseDescription(.noContent, "It is deleted.")
        case .undelete: return row(described.undeleteStatus, "The row.")
        }
    }

    private func row(_ status: HTTPStatus, _ meaning: String, isNew: Bool = false) -> ResponseDescription {
        var answer = ResponseDescription(status, meaning, DescribedContent(rows.row))
        guard !behaviour.echoesParameters else { return answer }
        // Where columns can be left out, so can the version.
        let isWhole = operation == .read ? described.readsShowVersion : described.writesShowVersion
        if hasVersions { answer.fields.append(isWhole ? Self.tag.certain : Self.tag) }
        if described.hasLastModified {
            answer.fields.append(DescribedField("Last-Modified", "When the row changed, to the second.").certain)
        }
        if isNew { answer.fields.append(DescribedField("Location", "The row's address.").certain) }
        return answer
    }

    /// The answers that carry the row that prevented a write.
    private var conflicts: [ResponseDescription] {
        guard !behaviour.echoesParameters else { return [] }
        let statuses =
            switch operation {
            case .read: hasID ? described.readConflicts : []
            case .insert: described.insertConflicts
            case .update, .delete, .undelete: hasVersions ? described.writeConflicts : []
            }
        return statuses.map { status in
            let meaning =
                status == .conflict ? "The row that is there" : "The row, whose version is another"
            return row(status, "\(meaning); nothing was written.")
        }
    }

    /// One failure for each status, whose text explains it.
    private var failures: [RequestError] {
        var failures: [RequestError] = [
            .unauthorized, .table(.unavailable(detail: "")), .table(.failed(detail: "")),
        ]
        failures.append(operation == .read && !hasID ? Self.badQuery : .version(.unknown("1")))
        if isOnRow { failures.append(.rowMissing) }
        if described.tellsTombstones, isOnRow { failures.append(.rowDeleted) }
        if operation != .read {
            failures.append(.table(.full))
            if hidesRows { failures.append(.table(.outsideScope)) }
        }
        if operation == .update, described.updateMayDelete, table.rules.softDelete {
            failures += disabled.filter { [.delete, .undelete].contains($0) }.map {
                .operationDisabled($0, table: table.name.text)
            }
        }
        if operation == .insert, described.insertTellsTaken || hidesRows, !table.rules.autoIncrement {
            failures.append(.idTaken)
        }
        failures += body.isEmpty ? [] : behaviour.required.map { .operation(.required(message: $0.message)) }
        if !body.isEmpty { failures += [.bodyNotObject, .mediaType("text/html", accepted: RequestBody.json)] }
        return failures
    }

    private static let badQuery = RequestError.table(.query(QueryError("$filter", at: 0, .unknownColumn("colour"))))
}
