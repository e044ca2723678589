import ByteText
import Cryptography
internal import Gzip
internal import Tables

/// Converts the parameters of long queries to short texts for links, and back.
///
/// A text that contains the whole query is valid for anyone: it allows no more than the query in plain text would. The
/// seal prevents people from hiding their own queries from those who inspect URLs, and detects truncated texts. A text
/// that only refers to a query is valid for the user who was given it.
public struct QuerySeal: Sendable {
    /// A name and a value, both decoded.
    public typealias Member = (name: String, value: String)

    private let carried: MessageKey
    private let referred: MessageKey

    /// The number of bytes of a code to send: enough to be unguessable.
    private static let codeBytes = 16
    /// The maximum size of a query in bytes: more than the server accepts in a URL.
    private static let maximumBytes = 128 << 10

    /// - Parameter key: the database's own secret, at least 32 bytes.
    public init(key: [UInt8]) {
        let database = MessageKey(key.span, .sha256)
        // Separate keys, so that no text of one kind can pass for another.
        func own(_ purpose: String) -> MessageKey {
            MessageKey(database.code(of: Array(purpose.utf8).span).span, .sha256)
        }
        carried = own("query of a link")
        referred = own("reference to a query")
    }

    /// Returns the text for query parameters, in characters that need no encoding in a URL.
    /// - Returns: nil if there isn't enough memory.
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

    /// Returns the query parameters in a text.
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

    /// Returns the reference to a stored text, in characters that need no encoding: always the same for a text and a
    /// user, and impossible for anyone else to make.
    /// - Parameter user: nil if no one is signed in; then anyone with the reference may use it.
    public func reference(to text: String, for user: String?) -> String {
        var writer = PackedWriter()
        writer.byte(user == nil ? 0 : 1)
        writer.text(user ?? "")
        writer.text(text)
        return Base64.url(Self.code(referred, writer.bytes))
    }

    /// Returns a pseudonym for a name.
    public func alias(of name: String) -> String { Base64.url(Self.code(referred, Array(name.utf8))) }

    private static func code(_ key: MessageKey, _ message: [UInt8]) -> ArraySlice<UInt8> {
        key.code(of: message.span).prefix(codeBytes)
    }
}
