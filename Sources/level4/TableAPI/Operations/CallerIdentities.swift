import Access
import ByteText
import JSONText
import TableOperations
import Tables
import ZumoProtocol

/// The caller's identity, in each row that a table with `identities` returns to a read, as the official client suites
/// expect it of their table `authenticated`.
///
/// It is an object named after the provider, as text: all clients of the suites parse text, and only iOS accepts the
/// object.
enum CallerIdentities {
    /// Returns the member's name; nil if rows have none. A column of that name takes precedence.
    static func name(in generation: any TableGeneration, of table: Table, _ behaviour: TableBehaviour) -> String? {
        guard behaviour.showsIdentities, table.field(named: "identities") == nil else { return nil }
        return generation.identitiesMember
    }

    /// Returns the member of each row, as `"name":"text"`; empty if there is none.
    static func member(for request: TableRequest) -> [UInt8] {
        let behaviour = request.operations.behaviour(of: request.table)
        guard let name = name(in: request.generation, of: request.table, behaviour), let user = request.caller.user
        else { return [] }
        return JSONValue.string(name).jsonBytes + [UInt8(ascii: ":")] + JSONValue.string(text(user)).jsonBytes
    }

    /// Returns text such as `{"facebook":{"userId":"Facebook:77"}}`; `{}` if neither token nor id reveals the provider.
    private static func text(_ user: Principal.User) -> String {
        guard let provider = provider(of: user) else { return "{}" }
        return JSONValue.object([JSONMember(provider, ["userId": .string(user.id)])]).jsonText
    }

    /// Returns the provider in the token, otherwise the part before the colon of a Mobile Services id.
    private static func provider(of user: Principal.User) -> String? {
        if let provider = user.claims["idp"] { return provider.lowercased() }
        // By code points: a combining mark after the colon would hide it.
        guard let colon = user.id.unicodeScalars.firstIndex(of: ":"), !user.id.beginsExactly("sid:") else { return nil }
        return user.id[..<colon].lowercased()
    }
}
