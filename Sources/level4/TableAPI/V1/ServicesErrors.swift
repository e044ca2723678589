import HTTPModel
import OData
import TableOperations
import Tables
import ZumoProtocol

// The failures that only v1 has, and those that it has other words for.
extension ErrorResponse {
    /// A failure in the words of Mobile Services, as far as its clients and their test suites rely on them.
    init(services error: RequestError) {
        self.init(error)
        if case .operation(.refused) = error { return }
        if status == .internalServerError { text = "Internal Server Error" }
        // v1 knew no 403: who may not is 401, and what may not be is 400.
        if status == .forbidden { status = .badRequest }
        switch error {
        case .unauthorized, .caller(.token): text = "Unauthorized"
        case .unknownPath: text = "Not Found"
        case .unknownTable(let name): text = "The table '\(Self.excerpt(name))' does not exist."
        case .idTaken: text = "Could not insert the item because an item with that id already exists."
        case .idGiven: text = "A value cannot be specified for property 'id'"
        case .operation(.table(.query(let error))) where error.reason == .unknownOption:
            text = "\(error.option): Custom query parameter names must not start with $ or __."
        case .operation(.table(.query(let error))) where error.reason.isTypeClash:
            // The official .NET suite looks for these words where text is compared with a number.
            text = "Bad request: \(text)"
        case .version, .methodNotAllowed, .caller, .operationDisabled, .undeleteWithoutSoftDelete, .mediaType, .charset,
            .contentCoding, .json, .bodyNotObject, .nestedValue, .idNotText, .idInvalid, .idMissing, .idMismatch,
            .bodyIDMissing, .ifMatchWeak, .ifMatchList, .ifMatchMalformed, .topOverLimit, .unknownContinuation,
            .unkeptContinuation,
            .answerTooLarge, .buffersFull, .rowMissing, .rowDeleted, .bodyEmpty, .patchNotArray, .patch,
            .systemMemberChanged, .services, .operation:
            break
        }
        text = OwnColumnName.wordsInServices(text)
    }

    init(_ fault: ServicesFault) {
        switch fault {
        case .unknownSystemProperty(let name):
            self.init(.queryInvalid, "'\(Self.excerpt(name))' is not a supported system property.")
        case .listOption(let name): self.init(.queryInvalid, "\(name) can't be used together with the id of a row.")
        case .bodyMissing: self.init(.bodyMissing, "The body is empty; it has to be one JSON object, the row.")
        case .undeleteBody: self.init(.bodyNotWanted, "A request that undeletes a row has no body.")
        case .undeleteImpossible(let table):
            self.init(.softDeleteOff, "The table '\(table)' has no soft delete, so no row of it can be undeleted.")
        case .idMisspelled(let name): self.init(.idInvalid, "The property '\(name)' has to be spelled 'id'.")
        case .idNotInteger: self.init(.idInvalid, "The value specified for 'id' must be a number.")
        case .rowMissing(let id):
            self.init(.notFound, .rowNotFound, "An item with id '\(Self.excerpt(id))' does not exist.")
        }
    }
}

extension QueryError.Reason {
    fileprivate var isTypeClash: Bool {
        if case .typeClash = self { true } else { false }
    }
}
