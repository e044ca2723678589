import HTTPModel
import JSONText

/// The result of a replay.
struct ReplayReport: Sendable {
    /// How many requests were sent.
    var replayed = 0
    /// How many answers were the same.
    var same = 0
    /// How many had no answer in the archive, so that there was nothing to compare.
    var unanswered = 0
    /// How many requests of the archive were not sent: those to other addresses or to this server's test routes, and
    /// those with an incomplete body.
    let leftOut: Int
    /// The first answers that differed.
    private(set) var different: [Difference] = []
    private var unlisted = 0

    /// The maximum number of answers listed.
    private static let mostListed = 1_000

    /// An answer that differed.
    struct Difference: Sendable {
        /// The index of the entry in the archive, from 0.
        let entry: Int
        /// Method and target as in the archive.
        let request: String
        /// What differs, in words.
        let differences: [String]

        fileprivate var json: JSONValue {
            ["entry": JSONValue(entry), "request": .string(request), "differences": JSONValue(differences)]
        }
    }

    init(leftOut: Int) {
        self.leftOut = leftOut
    }

    mutating func add(_ difference: Difference) {
        if different.count < Self.mostListed { different.append(difference) } else { unlisted += 1 }
    }

    /// The report as JSON.
    var response: HTTPResponse {
        var members = [
            JSONMember("replayed", JSONValue(replayed)), JSONMember("same", JSONValue(same)),
            JSONMember("unanswered", JSONValue(unanswered)), JSONMember("leftOut", JSONValue(leftOut)),
            JSONMember("different", .array(different.map(\.json))),
        ]
        if unlisted > 0 { members.append(JSONMember("unlisted", JSONValue(unlisted))) }
        return .testJSON(.ok, .object(members))
    }
}
