import ByteText
import Cryptography
internal import Gzip
internal import Tables

/// Turns the members of long queries into short texts for links, and back.
///
/// A text that contains the whole query is valid for whoever has it: it asks for no more than its query in plain words
/// would. The seal prevents people from hiding queries of their own from those who look at addresses, and reveals a
/// text that was cut off on its way. A text that only refers to a query is valid for the user who was given it.
public struct QuerySeal: Sendable {
    /// A name and a value, both decoded.
    public typealias Member = (name: String, value: String)

    private let carried: MessageKey
    private let referred: MessageKey

    /// As many bytes of a code are sent as nobody guesses.
    private static let codeBytes = 16
    /// The most bytes of a query: more than the server reads as an address.
    private static let maximumBytes = 128 << 10

    /// - Parameter key: the database's own secret, at least 32 bytes.
    public init(key: [UInt8]) {
        let database = MessageKey(key.span, .sha256)
        // Keys of their own, so that no text of one kind can pass for another.
        func own(_ purpose: String) -> MessageKey {
            MessageKey(database.code(of: Array(purpose.utf8).span).span, .sha256)
        }
        carried = own("query of a link")
        referred = own("reference to a query")
    }

    /// The text of members, in letters that need no encoding in a URL.
    /// - Returns: nil if the system has no memory for it.
    public func text(of members: [Member]) -> String? {
        var writer = PackedWriter()
        for member in members {
            writer.text(member.name)
            writer.text(member.value)
        }
        guard writer.bytes.count <= Self.maximumBytes, let packed = GzipCompressor()?.compress(writer.bytes) else {
            return nil
        }
        return Base64.url(Self.code(carried, packed) + packed)
    }

    /// The members that a text stands for.
    /// - Returns: nil if this database's servers did not make the text.
    public func members(from text: some StringProtocol) -> [Member]? {
        guard text.utf8.count <= Self.maximumBytes, let bytes = Base64.decode(text.utf8, .url) else { return nil }
        let packed = Array(bytes.dropFirst(Self.codeBytes))
        let code = Self.code(carried, packed)
        guard ConstantTime.isEqual(Array(bytes.prefix(Self.codeBytes)).span, code.span),
            let unpacked = try? GzipExpander.expand(packed, limit: Self.maximumBytes, grow: { _ in true })
        else { return nil }
        var reader = PackedReader(bytes: unpacked)
        var members: [Member] = []
        while !reader.isAtEnd {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            members.append((name, value))
        }
        return members
    }

    /// The reference to a stored text, in letters that need no encoding: always the same for a text and a user, and
    /// impossible to make for anybody else.
    /// - Parameter user: nil if nobody is signed in: then whoever has the reference may follow it.
    public func reference(to text: String, for user: String?) -> String {
        var writer = PackedWriter()
        writer.byte(user == nil ? 0 : 1)
        writer.text(user ?? "")
        writer.text(text)
        return Base64.url(Self.code(referred, writer.bytes))
    }

    /// A pseudonym for a name.
    public func alias(of name: String) -> String { Base64.url(Self.code(referred, Array(name.utf8))) }

    private static func code(_ key: MessageKey, _ message: [UInt8]) -> ArraySlice<UInt8> {
        key.code(of: message.span).prefix(codeBytes)
    }
}
