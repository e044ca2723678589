import JSONText
import WireTesting

@testable import Conformance

extension Fault {
    /// Faults of statuses and header fields.
    static let heads: [Fault] = [
        answers("the ETag is lost", "v2/insert/etag-is-the-version") { $1["ETag"] = nil },
        answers("the ETag is weak", "v2/read/etag-is-the-version") { _, answer in
            if let tag = answer["ETag"] { answer["ETag"] = "W/\(tag)" }
        },
        answers("the ETag says how it was packed", "v2/update/etag-is-the-new-version") { _, answer in
            if let tag = answer["ETag"] { answer["ETag"] = "\(tag.dropLast())-gzip\"" }
        },
        answers("a proxy packs answers and weakens their ETags", "v2/http/packing-keeps-the-etag") { request, answer in
            guard request.fields.contains(where: { $0.name == "Accept-Encoding" }) else { return }
            if let tag = answer["ETag"] { answer["ETag"] = "W/\(tag)" }
        },
        turns(201, into: "200 OK", "v2/insert/answers-201"),
        turns(412, into: "412 Precondition Failed", body: "", "v2/conflict/412-carries-the-current-row"),
        turns(412, into: "409 Conflict", "v2/conflict/a-stale-version-answers-412"),
        turns(404, into: "200 OK", body: "{}", "v2/read/a-missing-row-answers-404"),
        turns(409, into: "201 Created", "v2/insert/taken-id-answers-409"),
        turns(401, into: "403 Forbidden", "v2/access/without-a-token-401"),
        turns(400, into: "500 Internal Server Error", "v2/filter/a-syntax-error-answers-400"),
        turns(412, into: "412 ", "v2/http/reason-phrases"),
        answers("an error comes as HTML", "v2/errors/a-bad-query") { _, answer in
            guard answer.code >= 400 else { return }
            answer["Content-Type"] = "text/html"
            answer.body = Array("<h1>Sorry</h1>".utf8)
        },
        answers("the Location is of another row", "v2/insert/location-names-the-row") { _, answer in
            if let location = answer["Location"] { answer["Location"] = "\(location)1" }
        },
        answers("there is no Content-Length", "v2/http/content-length") { $1["Content-Length"] = nil },
        answers("a cache answers 304", "v2/read/never-304") { request, answer in
            guard request.fields.contains(where: { $0.name == "If-None-Match" }) else { return }
            answer.status = "304 Not Modified"
            answer.body = []
        },
        answers("a delete has an ETag and no body", "v2/delete/no-etag-without-a-body") { request, answer in
            guard request.method == "DELETE", answer.code == 200 else { return }
            answer.status = "204 No Content"
            answer.body = []
        },
        answers("an undelete answers nothing", "v2/undelete/brings-the-row-back") { request, answer in
            guard request.method == "POST", request.path.split(separator: "/").count == 3 else { return }
            answer.status = "204 No Content"
            answer.body = []
        },
        answers("browsers see no ETag", "v2/cors/exposes-etag-and-link") {
            $1["Access-Control-Expose-Headers"] = "Link"
        },
        losesField("If-Match", "v2/conflict/one-winner"),
    ]

    /// Faults of rows and values.
    static let bodies: [Fault] = [
        answers("a 412 has the row that was sent", "v2/conflict/take-the-servers") { request, answer in
            if answer.code == 412 { answer.body = request.body }
        },
        answers("an update answers what was sent", "v2/update/answers-the-whole-row") { request, answer in
            if request.method == "PATCH", answer.code == 200 { answer.body = request.body }
        },
        members("dates lose their milliseconds", "v2/pull/the-stamp-is-exact") { member in
            guard let text = member.value.text, Checks.isWireDate(text) else { return member }
            return JSONMember(member.name, .string(text.prefix(19) + "Z"))
        },
        members("dates of columns lose their milliseconds", "v2/values/dates") { member in
            guard member.name == "date1", let text = member.value.text else { return member }
            return JSONMember(member.name, .string(text.prefix(19) + ".000Z"))
        },
        members("dates have an offset", "v2/pull/dates-end-in-z") { member in
            guard let text = member.value.text, Checks.isWireDate(text) else { return member }
            return JSONMember(member.name, .string(text.dropLast() + "+00:00"))
        },
        answers("updatedAt stays at updates", "v2/update/renews-updatedAt") { request, answer in
            guard case .object(let members) = answer.json, request.method == "PATCH" else { return }
            let old = members.first { $0.name == "createdAt" }?.value ?? .null
            let stale = JSONValue.object(members).changing {
                $0.name == "updatedAt" ? JSONMember("updatedAt", old) : $0
            }
            answer.body = Array(stale.json.utf8)
        },
        members("large whole numbers are rounded", "v2/values/large-integers") { member in
            guard case .integer(let number) = member.value else { return member }
            return JSONMember(member.name, .number(Double(Float(number))))
        },
        members("whole numbers of 64 bits are doubles", "v2/values/int64") { member in
            guard case .integer(let number) = member.value else { return member }
            return JSONMember(member.name, .number(Double(number)))
        },
        members("numbers have three digits", "v2/values/doubles") { member in
            guard let number = member.value.numberValue else { return member }
            return JSONMember(member.name, .number((number * 1_000).rounded() / 1_000))
        },
        members("booleans are 0 and 1", "v2/values/booleans") { member in
            guard case .boolean(let flag) = member.value else { return member }
            return JSONMember(member.name, .integer(flag ? 1 : 0))
        },
        members("deleted is 0 and 1", "v2/pull/deleted-is-a-boolean") { member in
            guard member.name == "deleted", case .boolean(let flag) = member.value else { return member }
            return JSONMember(member.name, .integer(flag ? 1 : 0))
        },
        members("nulls are left out", "v2/insert/every-column-is-answered") { $0.value == .null ? nil : $0 },
        members("an empty text is null", "v2/values/empty-text") { member in
            member.value == "" ? JSONMember(member.name, nil) : member
        },
        members("emoji are question marks", "v2/values/emoji") { member in
            guard let text = member.value.text else { return member }
            var poor = ""
            for scalar in text.unicodeScalars { poor.unicodeScalars.append(scalar.value > 0xFFFF ? "?" : scalar) }
            return JSONMember(member.name, .string(poor))
        },
        members("letters with accents are one character", "v2/values/unicode") { member in
            guard let text = member.value.text else { return member }
            return JSONMember(member.name, .string(text.replacing("e\u{301}", with: "\u{E9}")))
        },
    ]

    /// Faults of lists.
    static let queries: [Fault] = [
        loses("$skip", "v2/list/skip"),
        loses("$top", "v2/list/top"),
        loses("$filter", "v2/filter/eq"),
        loses("$orderby", "v2/list/order"),
        loses("$select", "v2/list/select"),
        loses("__includeDeleted", "v2/delete/shows-the-row-on-request"),
        asks("deleted rows are always listed", "v2/delete/hides-the-row") { request in
            if request.isList { request.add("__includeDeleted=true") }
        },
        answers("lists come in the other order", "v2/pull/in-the-order-of-changes") {
            $1.changeList { .array($0.reversed()) }
        },
        answers("a list has another envelope", "v2/list/shape") { $1.changeList { ["value": .array($0)] } },
        members("the count is a text", "v2/list/count") { member in
            member.name == "count" ? JSONMember("count", .string(member.value.json)) : member
        },
        answers("the count is of the page", "v2/list/count-of-a-page") { _, answer in
            guard case .object(let members) = answer.json,
                case .array(let rows) = members.first(where: { $0.name == "results" })?.value
            else { return }
            let page: JSONValue = ["results": .array(rows), "count": .integer(Int64(rows.count))]
            answer.body = Array(page.json.utf8)
        },
        answers("the link has brackets", "v2/page/link-form") { _, answer in
            if let link = answer["Link"] { answer["Link"] = "<\(link.dropLast("; rel=next".count))>; rel=\"next\"" }
        },
        answers("there is no link", "v2/page/a-cut-list-says-so") { $1["Link"] = nil },
        answers("the link leads to the same page", "v2/page/every-row-once") { request, answer in
            if answer["Link"] != nil { answer["Link"] = "http://127.0.0.1\(request.target); rel=next" }
        },
    ]

    /// Faults that clients of the first generation suffer from.
    static let older: [Fault] = [
        asks("system columns come unasked", "v1/services/system-columns-on-request") { request in
            request.drop("__systemProperties")
            request.add("__systemProperties=*")
        },
        turns(204, into: "200 OK", body: "{}", "v1/delete/answers"),
        loses("$colour", "v1/services/unknown-options-answer-400"),
        members("an error has no code", "v1/errors/code-and-error") { $0.name == "code" ? nil : $0 },
        answers("a 405 names no methods", "v1/services/other-methods-answer-405") { $1["Allow"] = nil },
        losesField("If-Match", "v1/conflict/412-carries-the-current-row"),
    ]

    /// Faults that clients of Datasync suffer from.
    static let newer: [Fault] = [
        members("the last nextLink is empty", "v3/page/the-last-link-is-null") { member in
            member.name == "nextLink" && member.value == .null ? JSONMember("nextLink", "") : member
        },
        members("items have another name", "v3/list/shape") { member in
            member.name == "items" ? JSONMember("value", member.value) : member
        },
        asks("a replacement changes what it names", "v3/datasync/put-replaces") { request in
            if request.method == "PUT" { request.method = "PATCH" }
        },
        losesField("If-None-Match", "v3/read/if-none-match-answers-304"),
        losesField("If-Unmodified-Since", "v3/conditions/if-unmodified-since"),
        turns(410, into: "404 Not Found", "v3/read/a-deleted-row-is-not-found"),
        turns(409, into: "409 Conflict", body: "", "v3/insert/409-carries-the-row"),
        answers("there is no Last-Modified", "v3/conditions/last-modified") { $1["Last-Modified"] = nil },
        loses("__includedeleted", "v3/pull/tells-of-deletes"),
    ]
}
