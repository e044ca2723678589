import HTTPModel
import JSONText

/// The result of a replay.
struct ReplayReport: Sendable {
    /// How many requests were sent.
    var replayed = 0
    /// How many of the answers were the same.
    var same = 0
    /// How many had no answer in the archive, so that there was nothing to compare.
    var unanswered = 0
    /// How many requests of the archive were not sent: those at other addresses, those to this server's routes for
    /// tests, and those whose body is incomplete.
    let leftOut: Int
    /// The first of the answers that were not the same.
    private(set) var different: [Difference] = []
    private var unlisted = 0

    /// So many answers are listed.
    private static let mostListed = 1_000

    /// An answer that was not the same.
    struct Difference: Sendable {
        /// The entry's place in the archive, from 0.
        let entry: Int
        /// Method and target as the archive has them.
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

    /// As JSON.
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
