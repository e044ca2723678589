import Foundation

// The codes of failures, which their own tests look after: others compare the texts.
extension WireResponse {
    /// The text, where it is a failure of v2 or v3 without its code.
    public var textWithoutCode: String {
        guard isFailure, let range = text.range(of: #","code":"[a-z-]+"\}$"#, options: .regularExpression) else {
            return text
        }
        return text.replacingCharacters(in: range, with: "}")
    }

    /// Whether it is no failure of v2 or v3, or has a code.
    public var hasCodeWhereItFails: Bool { !isFailure || textWithoutCode != text }

    /// v1 has the status for its code.
    private var isFailure: Bool { text.hasPrefix(#"{"error":""#) && text.contains(#"","message":""#) }
}
