import Access
import HTTPModel
import JSONText
import OData
import TableOperations
import Tables
import ZumoProtocol

// The one place where a failure of the table API becomes a status and a text.
extension ErrorResponse {
    init(_ error: RequestError) {
        switch error {
        case .version(.missing):
            self.init(.versionMissing, "The request has no ZUMO-API-VERSION; send the header with 2.0.0 or 3.0.0.")
        case .version(.unknown(let version)):
            self.init(
                .versionUnknown,
                "The ZUMO-API-VERSION '\(Self.excerpt(version))' is not supported; send 2.0.0 or 3.0.0.")
        case .unknownPath:
            self.init(
                .notFound, .pathUnknown, "There is nothing at this path; rows are at /tables/NAME and /tables/NAME/ID.")
        case .unknownTable(let name):
            self.init(.notFound, .tableUnknown, "There is no table named '\(Self.excerpt(name))'.")
        case .methodNotAllowed(let method, let allowed):
            self.init(
                .methodNotAllowed, .methodNotAllowed, "\(Self.excerpt(method.name)) is not possible here.",
                allow: allowed)
        case .caller(let fault): self.init(fault)
        case .unauthorized: self.init(.unauthorized, .loginRequired, "You must be logged in to do this.")
        case .operationDisabled(let operation, let table):
            self.init(
                .methodNotAllowed, .operationDisabled,
                "The operation '\(operation.rawValue)' is disabled for the table '\(table)'.")
        case .undeleteWithoutSoftDelete(let table):
            self.init(
                .methodNotAllowed, .softDeleteOff,
                "The table '\(table)' has no soft delete, so no row of it can be undeleted.",
                allow: AppsTables().methods(hasID: true, canUndelete: false))
        case .mediaType(let type, let accepted):
            let types = accepted.filter { $0.hasPrefix("application/") }.joined(separator: " or ")
            self.init(
                .unsupportedMediaType, .mediaTypeUnsupported,
                "A body has to be \(types); this one is '\(Self.excerpt(type))'.")
        case .charset(let charset):
            self.init(
                .unsupportedMediaType, .charsetUnsupported,
                "A body has to be in UTF-8; this one is in '\(Self.excerpt(charset))'.")
        case .contentCoding(let coding):
            self.init(
                .unsupportedMediaType, .contentCodingUnsupported,
                "The content coding '\(Self.excerpt(coding))' is not supported; send gzip, or the body as it is.")
        case .json(let error):
            self.init(.bodyMalformed, "The body is not valid JSON: \(error.reason.words) at byte \(error.offset).")
        case .bodyNotObject: self.init(.bodyNotObject, "The body has to be one JSON object, the row.")
        case .nestedValue(let property):
            self.init(
                .valueNested,
                "The property '\(Self.excerpt(property))' holds an object or an array, which a column can't hold.")
        case .idNotText: self.init(.idInvalid, "The id has to be a string.")
        case .idInvalid(let fault): self.init(.idInvalid, Self.words(fault))
        case .idGiven: self.init(.idNotWanted, "The table numbers its rows; send a new row without an id.")
        case .idMissing(let method): self.init(.idMissing, "\(method.name) needs the id of a row: /tables/NAME/ID.")
        case .idMismatch: self.init(.idMismatch, "The id in the body is not the id in the path.")
        case .bodyIDMissing: self.init(.idMissing, "The body has no id; PUT takes the whole row.")
        case .ifMatchWeak:
            self.init(.ifMatchInvalid, "If-Match holds a weak tag; send the row's version in double quotes.")
        case .ifMatchList:
            self.init(.ifMatchInvalid, "If-Match holds more than one tag; send the row's version in double quotes.")
        case .ifMatchMalformed: self.init(.ifMatchInvalid, "If-Match holds a tag whose quotes are not closed.")
        case .topOverLimit(let top, let limit):
            self.init(.topOverLimit, "$top asks for \(top) rows; at most \(limit) can be had at once.")
        case .answerTooLarge(let rows, let limit):
            self.init(
                .answerTooLarge,
                "These rows come to more than \(limit) bytes; ask for fewer, such as $top=\(rows), or $select columns.")
        case .buffersFull:
            self.init(
                .serviceUnavailable, .serverBusy, "The server is busy with large requests and answers; try again.",
                retryAfter: BusyRetry.seconds(),
                detail: "limits.bufferBytes is spent")
        case .unkeptContinuation:
            self.init(
                .continuationUnknown,
                "$skiptoken refers to a query that isn't kept, or no longer, for whoever asks; begin again without it.")
        case .unknownContinuation:
            self.init(
                .continuationUnknown,
                "$skiptoken is not one that this server made for this query; begin again without it.")
        case .rowMissing:
            // The official client suites compare this text.
            self.init(.notFound, .rowNotFound, "The item does not exist")
        case .rowDeleted: self.init(.gone, .rowDeleted, "The item is deleted")
        case .bodyEmpty: self.init(.bodyMissing, "The body is empty; it has to be one JSON object, the row.")
        case .patchNotArray:
            self.init(.patchMalformed, "The body has to be a JSON array, the operations of a JSON patch.")
        case .patch(let fault, let number):
            self.init(.patchFailed, "Operation \(number) of the patch: \(Self.words(fault))")
        case .systemMemberChanged(let column):
            self.init(.propertyReserved, "The property '\(column.rawValue)' can't be changed.")
        case .services(let fault): self.init(fault)
        case .idTaken: self.init(.conflict, .idTaken, "The id is taken.")
        case .operation(.required(let message)):
            self.init(.valueRequired, message)
            isVerbatim = true
        case .operation(.table(let error)): self.init(error)
        case .operation(.refused(let refusal)): self.init(refusal.status, .refused, refusal.text)
        case .operation(.hook(let detail)): self.init(failure: detail)
        case .operation(.scripts(let detail)): self.init(scriptsUnavailable: detail)
        }
    }

    private init(_ error: TableError) {
        switch error {
        case .query(let error):
            let place = error.offset.map { " at byte \($0)" } ?? ""
            self.init(.queryInvalid, "\(error.option)\(place): \(error.reason.words(Self.excerpt))")
            queryOffset = error.offset
        case .unknownProperty(let name): self.init(.columnUnknown, "The table has no column '\(Self.excerpt(name))'.")
        case .reservedProperty(let name):
            self.init(.propertyReserved, "The property '\(Self.excerpt(name))' is kept by the server and can't be set.")
        case .invalidColumnName(let name):
            self.init(
                .columnNameInvalid,
                "'\(Self.excerpt(name))' can't be a column: a letter or _, then letters, digits and _, at most 128.")
        case .typeMismatch(let property, .string, .text):
            self.init(
                .typeMismatch,
                "The column '\(Self.excerpt(property))' holds UUIDs or JSON alone; the text sent is neither.")
        case .typeMismatch(let property, let column, let found):
            self.init(
                .typeMismatch,
                "The column '\(Self.excerpt(property))' holds \(Self.words(column)); the value sent is \(found.kind).")
        case .tooManyDigits(let property, let limit):
            self.init(
                .numberTooLong,
                "The number in '\(Self.excerpt(property))' has too many digits; at most \(limit) are kept."
            )
        case .tooManyColumns(let limit): self.init(.tooManyColumns, "The table can't have more than \(limit) columns.")
        case .tooManyClientColumns(let limit):
            self.init(
                .tooManyColumns,
                "Clients may add at most \(limit) columns to a table; with this row's there would be more."
            )
        case .tooManyClientTables(let limit):
            self.init(.tooManyTables, "Clients may make at most \(limit) tables, and so many are there.")
        case .outsideScope:
            self.init(.forbidden, .rowNotWritable, "You may not write this row, or not as you would have it.")
        case .definition(let detail): self.init(failure: detail)
        case .unavailable(let detail): self.init(outage: detail)
        case .away(let name): self.init(away: name.text, detail: error.detail)
        case .doubtful(let detail):
            self.init(
                .serviceUnavailable, .writeDoubtful,
                "The database did not answer in time; the write may have been done. Send the same request again.",
                retryAfter: 1, detail: detail)
        case .timeout:
            self.init(
                .serviceUnavailable, .queryTimeout,
                "The query took too long; ask for less, or filter by a column that has an index.",
                retryAfter: 5, detail: "a query reached its time limit")
        case .busy: self.init(waiting: 1)
        case .crowded(let seconds): self.init(waiting: seconds)
        case .abandoned:
            self.init(
                .serviceUnavailable, .queryAbandoned,
                "The query was given up, since the connection was closed while it was answered.",
                retryAfter: 1, detail: "the client was gone")
        case .tooLarge:
            self.init(
                .queryTooLarge,
                "The query would take too much memory: its rows hold too long texts for what it calculates or sorts by. "
                    + "Calculate less, or ask for fewer rows.")
        case .full: self.init(outage: error)
        case .refused(let refusal, let detail): self.init(.badRequest, .rowRefused, refusal.sentence, detail: detail)
        case .failed(let detail): self.init(failure: detail)
        }
    }
}

extension ErrorResponse {
    /// Creates the answer to a list that got no turn.
    fileprivate init(waiting seconds: Int) {
        self.init(
            .serviceUnavailable, .queriesWaiting, "Too many queries are waiting; try again.", retryAfter: seconds,
            detail: "a query was refused or given up, as too many are there")
    }
}
