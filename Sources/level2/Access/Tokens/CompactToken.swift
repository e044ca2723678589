internal import ByteText
internal import JSONText

/// A token split into its parts, with its header checked but nothing in it trusted yet.
struct CompactToken {
    let algorithm: TokenAlgorithm
    /// The header's `kid`; nil if it has none.
    let keyID: String?
    /// The signed bytes: the header and the payload as sent.
    let signedBytes: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]

    /// Parses a token, with or without a leading `Bearer ` in any case.
    init(_ text: String) throws(TokenFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= TokenVerifier.maximumTokenBytes else { throw .tooLarge }
        let token = Self.withoutBearer(bytes)
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.decode(parts[0], .url),
            let payload = Base64.decode(parts[1], .url), let signature = Base64.decode(parts[2], .url)
        else { throw .malformed }
        (algorithm, keyID) = try Self.read(header)
        self.signedBytes = Array(token[..<(parts[2].startIndex - 1)])
        self.payload = payload
        self.signature = signature
    }

    private static func withoutBearer(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let word = bytes.prefix(6).map { $0 | 0x20 }
        let rest = bytes.dropFirst(6)
        guard word.elementsEqual("bearer".utf8), rest.first == UInt8(ascii: " ") else { return bytes[...] }
        return rest.drop { $0 == UInt8(ascii: " ") }
    }

    private static func read(_ text: [UInt8]) throws(TokenFault) -> (TokenAlgorithm, keyID: String?) {
        let header = try StrictObject(token: text)
        guard let name = header.text("alg") else { throw .malformed }
        guard let algorithm = TokenAlgorithm(headerName: name) else { throw .unsupportedAlgorithm }
        if ["jwk", "jku", "x5u", "x5c"].contains(where: { header[$0] != nil }) { throw .embeddedKey }
        if header["crit"] != nil { throw .criticalExtension }
        switch header["kid"] {
        case nil: return (algorithm, nil)
        case .string(let keyID): return (algorithm, keyID)
        // The key id of the first v1 tokens was the number 0.
        case .integer(let number): return (algorithm, String(number))
        default: throw .malformed
        }
    }
}

extension StrictObject {
    /// Parses a header or a payload.
    init(token text: [UInt8]) throws(TokenFault) {
        do {
            try self.init(text: text)
        } catch {
            switch error {
            case .notAnObject: throw .malformed
            case .duplicateMember: throw .duplicateMember
            }
        }
    }
}
