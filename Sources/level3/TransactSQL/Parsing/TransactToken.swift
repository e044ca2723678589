/// The smallest unit of a script.
struct TransactToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A word that may be a keyword or a name.
        case word(String)
        /// A name in brackets or double quotes, which is never a keyword.
        case name(String)
        case text(String)
        case number(String)
        case binary
        /// `@name`, without the sign.
        case variable(String)
        /// `@@NAME`, without the signs.
        case global(String)
        /// `?`, numbered from 0.
        case placeholder(Int)
        case symbol(String)
        case end
    }

    let kind: Kind
    let place: TransactPlace

    /// The token's description for error messages.
    var words: String {
        switch kind {
        case .word(let text), .number(let text), .symbol(let text): "`\(text.prefix(40))`"
        case .name(let text): "`[\(text.prefix(40))]`"
        case .text: "a text"
        case .binary: "a binary constant"
        case .variable(let name): "`@\(name.prefix(40))`"
        case .global(let name): "`@@\(name.prefix(40))`"
        case .placeholder: "`?`"
        case .end: "the end"
        }
    }
}
