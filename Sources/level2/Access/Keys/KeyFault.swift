/// Why a configured key can't be used. The raw values are sentences for the operator.
public enum KeyFault: String, Error, Sendable, CaseIterable {
    /// An empty key would match an empty header.
    case empty = "The key is empty."
    /// Usually the newline at the end of a file; header fields are trimmed, so such a key could never match.
    case surroundingWhiteSpace = "The key begins or ends with white space."
    /// The key was declared as such.
    case notHexadecimal = "The key is not hexadecimal: an even number of the digits 0 to 9 and a to f."
    /// The key was declared as such.
    case notBase64 = "The key is not base64."
    /// HMAC has no key pairs: anyone with the public key could sign.
    case publicKey =
        "The key is a public key or a certificate, with which anybody could sign: a signing key is a secret, and public keys go into auth.keySets."
    /// HMAC can't distinguish such a key from an empty one. The Node server's default secret `0000` is one.
    case allZero = "The key is nothing but zeros, which anybody can guess."
}

/// Rejects text that isn't a key in any form.
func checkKeyText(_ text: String) throws(KeyFault) {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { throw .empty }
    if first.properties.isWhitespace || last.properties.isWhitespace { throw .surroundingWhiteSpace }
}
