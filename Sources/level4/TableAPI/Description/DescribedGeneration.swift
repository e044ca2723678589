import HTTPModel
import OData

/// What the document of all routes says of one generation's tables, beside what the router itself tells. As in v2 where
/// nothing is set.
struct DescribedGeneration: Sendable {
    /// The conditional fields that a generation knows.
    enum Conditions: Sendable {
        /// `If-None-Match` on reads, `If-Match` on writes.
        case services
        /// `If-Match` on writes.
        case apps
        /// All four, on everything.
        case datasync
    }

    /// The language of the query options.
    var language = QueryLanguage.apps
    /// Whether the id of a numbered row is text.
    var hasTextIDs = false
    /// Whether the system columns are spelled `__version` and shown where asked for, and not in a table that numbers its
    /// rows.
    var hasServicesColumns = false
    /// The conditional fields.
    var conditions = Conditions.apps
    /// Whether a read can be answered with 304.
    var isReadConditional = false
    /// Whether the row of a read always has its version.
    var readsShowVersion = false
    /// Whether the row of a write always has its version.
    var writesShowVersion = true
    /// Whether a list's next page is in a Link field.
    var listHasLink = true
    /// Whether a list is an object with its rows as a member.
    var hasPageObject = false
    /// Whether a delete answers with the row.
    var deleteAnswersRow = true
    /// What an undelete is answered with.
    var undeleteStatus = HTTPStatus.created
    /// Whether rows come with a Last-Modified field.
    var hasLastModified = false
    /// Whether a request for a tombstone is told that it is one.
    var tellsTombstones = false
    /// Whether an update may make a row a tombstone or a live row.
    var updateMayDelete = false
    /// Whether an insert is always told that its id is taken without the row that has it.
    var insertTellsTaken = false
    /// The answers that show the row in an insert's way.
    var insertConflicts: [HTTPStatus] = [.conflict, .preconditionFailed]
    /// Those of the other writes.
    var writeConflicts: [HTTPStatus] = [.conflict, .preconditionFailed]
    /// Those of a read of one row.
    var readConflicts: [HTTPStatus] = []
    /// Whether an update may be a JSON patch, and a PUT replaces a row.
    var takesPatches = false
    /// Whether a write without a body is one of an empty row.
    var isBodyOptional = true
    /// Whether the body of a write may say the version.
    var versionMember = true
    /// Whether it may say that the row is deleted.
    var deletedMember = false
    /// Whether members that are no columns are passed over.
    var passesOverUnknown = false
    /// Whether a row can be updated by the id in the body alone.
    var updatesByBodyID = true
    /// The options that mean something beside a row that is read.
    var findOptions: [QueryOption] = [.includeDeleted, .select]
    /// The options that mean something beside an update.
    var updateOptions: [QueryOption] = []
    /// Whether the field `X-ZUMO-Options` means anything.
    var takesZumoOptions = false
}
