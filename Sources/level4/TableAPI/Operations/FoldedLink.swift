import Access
import ByteText
import HTTPModel
import OData
import Tables
import ZumoProtocol

/// Links of long queries. `Link` is a header field, and a proxy that reserves 4 KiB for a response's head, as nginx
/// does, answers 502 if it is longer. So a long query is packed, sealed and put after the place in `$skiptoken`:
/// `PLACE.QUERY`. If that is still too long, as for a hundred random ids, the database stores it for a while, and the
/// link refers to it: `PLACE~REFERENCE`. If it can't be stored, the link is as long as the query.
enum FoldedLink {
    /// The maximum length in bytes of a link with its query in plain text, which suffices for nearly all.
    static let plainBytes = 2_048
    /// The maximum length in bytes of a link that carries its packed query.
    static let carriedBytes = 3_072
    static let option = "$skiptoken"

    /// How a token contains its query. The raw values occur in no place, packed query or reference.
    enum Form: Character {
        case carried = "."
        case kept = "~"
    }

    /// Whether others than the list read the member: the API version determines the generation, and an app's own
    /// members are for the project's middleware, which sees addresses as they arrive and may require them.
    static func staysPlain(_ member: QueryMember, in generation: Generation) -> Bool {
        if member.name.hasPrefix("$") || member.name.hasPrefix("__") { return false }
        // v3 accepts the options without their `$` too.
        return generation != .v3
            || !QueryOption.all(in: .datasync).contains { $0.rawValue.dropFirst() == member.name.lowercased() }
    }

    static func token(_ place: String?, _ form: Form, _ query: String) -> String {
        "\(place ?? "")\(form.rawValue)\(query)"
    }

    /// Splits a token into the place, empty if there is none, and the part with the query; nil if it has no such part.
    static func parts(of token: String) -> (place: Substring, form: Form, query: Substring)? {
        guard let index = token.firstIndex(where: { Form(rawValue: $0) != nil }),
            let form = Form(rawValue: token[index])
        else { return nil }
        return (token[..<index], form, token[index...].dropFirst())
    }
}

extension TableRequest {
    /// Returns a link short enough for a response's head, whatever the query.
    /// - Parameters:
    ///   - members: the members of the query that stay the same from page to page.
    ///   - place: the text of the last row's place.
    ///   - make: creates the link from members and a `$skiptoken`.
    func link(
        with members: [QueryMember], _ place: String?, _ make: ([QueryMember], _ token: String?) -> String
    ) async throws(RequestError) -> String {
        let plain = make(members, place)
        guard plain.utf8.count > FoldedLink.plainBytes else { return plain }
        do throws(TableError) {
            let spoken = generation.generation
            let folded = members.filter { !FoldedLink.staysPlain($0, in: spoken) }
            guard let packed = try await continuations.text(of: folded) else { return plain }
            let rest = members.filter { FoldedLink.staysPlain($0, in: spoken) }
            let carried = make(rest, FoldedLink.token(place, .carried, packed))
            if carried.utf8.count <= FoldedLink.carriedBytes { return carried }
            let reference = try await continuations.reference(
                to: packed, for: caller.user?.id, asker: asker, at: settings.clock())
            guard let reference else { return plain }
            return make(rest, FoldedLink.token(place, .kept, reference))
        } catch {
            // The page itself has been read, and most clients can use the longer link too.
            return plain
        }
    }
}

extension HTTPRequest {
    /// Returns the request with the complete query of a target in place of its own, for scripts.
    func unfolded(as target: RequestTarget) -> HTTPRequest {
        var bytes = Array(target.rawPath.utf8)
        var separator = UInt8(ascii: "?")
        for member in target.query {
            bytes.append(separator)
            separator = UInt8(ascii: "&")
            PercentEncoding.encode(member.name, keeping: "$", into: &bytes)
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.encode(member.value, keeping: "$'()*:,", into: &bytes)
        }
        var request = self
        request.target = bytes
        return request
    }
}

extension TableRequest.Serving {
    /// Returns a target with its complete query if its link has folded it; nil if it is complete already.
    @inline(__always)
    func unfolded(_ target: RequestTarget, for caller: Principal) async throws(RequestError) -> RequestTarget? {
        for member in target.query where member.name.isExactly(FoldedLink.option) {
            guard let parts = FoldedLink.parts(of: member.value) else { continue }
            let folded = try await members(parts.form, parts.query, caller)
            return target.with(query: folded + Self.plain(target.query, parts.place))
        }
        return nil
    }

    private func members(
        _ form: FoldedLink.Form, _ query: Substring, _ caller: Principal
    ) async throws(RequestError) -> [QueryMember] {
        let members: [QueryMember]?
        do throws(TableError) {
            switch form {
            case .carried: members = try await continuations.members(from: query)
            case .kept: members = try await continuations.members(referredToBy: query, for: caller.user?.id)
            }
        } catch {
            throw .table(error)
        }
        guard let members else { throw form == .kept ? .unkeptContinuation : .unknownContinuation }
        return members
    }

    private static func plain(_ members: [QueryMember], _ place: Substring) -> [QueryMember] {
        members.filter { !$0.name.isExactly(FoldedLink.option) }
            + (place.isEmpty ? [] : [QueryMember(name: FoldedLink.option, value: String(place))])
    }
}
