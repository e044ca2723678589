import Access
import ByteText
import JSONText
import TableOperations
import Tables
import ZumoProtocol

/// Who the caller is, in each row that a table with `identities` returns to a read, as the official client suites
/// expect it of their table `authenticated`.
///
/// It is an object by the provider's name, as text: all the suites' clients parse text, and only iOS accepts the
/// object.
enum CallerIdentities {
    /// The member's name; nil where rows have none. A column of that name is what it is.
    static func name(in generation: any TableGeneration, of table: Table, _ behaviour: TableBehaviour) -> String? {
        guard behaviour.showsIdentities, table.field(named: "identities") == nil else { return nil }
        return generation.identitiesMember
    }

    /// The member of each row, `"name":"text"`; empty for none.
    static func member(for request: TableRequest) -> [UInt8] {
        let behaviour = request.operations.behaviour(of: request.table)
        guard let name = name(in: request.generation, of: request.table, behaviour), let user = request.caller.user
        else { return [] }
        return JSONValue.string(name).jsonBytes + [UInt8(ascii: ":")] + JSONValue.string(text(user)).jsonBytes
    }

    /// Such as `{"facebook":{"userId":"Facebook:77"}}`; `{}` if neither the token nor the id reveals the provider.
    private static func text(_ user: Principal.User) -> String {
        guard let provider = provider(of: user) else { return "{}" }
        return JSONValue.object([JSONMember(provider, ["userId": .string(user.id)])]).jsonText
    }

    /// What the token says, otherwise what comes before the colon in an id of Mobile Services.
    private static func provider(of user: Principal.User) -> String? {
        if let provider = user.claims["idp"] { return provider.lowercased() }
        // By code points: a mark behind the colon would hide it.
        guard let colon = user.id.unicodeScalars.firstIndex(of: ":"), !user.id.beginsExactly("sid:") else { return nil }
        return user.id[..<colon].lowercased()
    }
}
