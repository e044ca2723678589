import HTTPModel
import OData

/// What the OpenAPI document says about one generation's tables, beyond what the router itself knows. The defaults are
/// those of v2.
struct DescribedGeneration: Sendable {
    /// The conditional fields that a generation supports.
    enum Conditions: Sendable {
        /// `If-None-Match` on reads, `If-Match` on writes.
        case services
        /// `If-Match` on writes.
        case apps
        /// All four, on every operation.
        case datasync
    }

    /// The language of query options.
    var language = QueryLanguage.apps
    /// Whether the id of a numbered row is text.
    var hasTextIDs = false
    /// Whether system columns are named like `__version`, are shown only on request, and are absent from tables that
    /// number their rows.
    var hasServicesColumns = false
    /// The conditional fields.
    var conditions = Conditions.apps
    /// Whether a read can be answered with 304.
    var isReadConditional = false
    /// Whether the row in a read's answer always has its version.
    var readsShowVersion = false
    /// Whether the row in a write's answer always has its version.
    var writesShowVersion = true
    /// Whether a list links to its next page in a Link field.
    var listHasLink = true
    /// Whether a list is an object with its rows as a member.
    var hasPageObject = false
    /// Whether a delete answers with the row.
    var deleteAnswersRow = true
    /// The status of a successful undelete.
    var undeleteStatus = HTTPStatus.created
    /// Whether rows come with a Last-Modified field.
    var hasLastModified = false
    /// Whether a request for a tombstone is told that the row is deleted.
    var tellsTombstones = false
    /// Whether an update may make a row a tombstone or a live row.
    var updateMayDelete = false
    /// Whether an insert with an id that is taken is refused without showing the row that has it.
    var insertTellsTaken = false
    /// The statuses of answers with the row that prevented an insert.
    var insertConflicts: [HTTPStatus] = [.conflict, .preconditionFailed]
    /// The same for the other writes.
    var writeConflicts: [HTTPStatus] = [.conflict, .preconditionFailed]
    /// The same for a read of one row.
    var readConflicts: [HTTPStatus] = []
    /// Whether an update may be a JSON patch, and PUT replaces a row.
    var takesPatches = false
    /// Whether a write without a body counts as one with an empty row.
    var isBodyOptional = true
    /// Whether the body of a write may contain the version.
    var versionMember = true
    /// Whether the body of a write may say that the row is deleted.
    var deletedMember = false
    /// Whether members that aren't columns are ignored.
    var passesOverUnknown = false
    /// Whether an update may name the row by the id in its body alone.
    var updatesByBodyID = true
    /// The options that apply to a read of one row.
    var findOptions: [QueryOption] = [.includeDeleted, .select]
    /// The options that apply to an update.
    var updateOptions: [QueryOption] = []
    /// Whether the field `X-ZUMO-Options` has a meaning.
    var takesZumoOptions = false
}
