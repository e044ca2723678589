internal import JSONText

/// The public keys of a token issuer, as it publishes them (a JWKS, RFC 7517).
///
/// RSA keys of 2048 to 8192 bits, P-256 and Ed25519 keys are taken; keys for other algorithms or uses are skipped.
public struct PublicKeySet: Sendable {
    /// The most keys of a set, since a token without a key id is tried with each.
    public static let maximumKeys = 32

    let keys: [PublicKey]

    /// Reads the text of a set.
    public init(jwks text: String) throws(PublicKeyFault) {
        let set: StrictObject
        do { set = try StrictObject(text: Array(text.utf8)) } catch { throw .notAKeySet }
        guard case .array(let values) = set["keys"] else { throw .notAKeySet }
        guard values.count <= Self.maximumKeys else { throw .tooManyKeys(limit: Self.maximumKeys) }
        var keys: [PublicKey] = []
        for (index, value) in values.enumerated() {
            let object: StrictObject
            do { object = try StrictObject(value) } catch { throw .invalidKey(index: index) }
            guard let key = try PublicKey(object, index: index) else { continue }
            if let id = key.id, keys.contains(where: { $0.id == id && $0.algorithm == key.algorithm }) {
                throw .duplicateKeyID(index: index)
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw .noUsableKey }
        self.keys = keys
    }

    /// How many keys of the set are usable.
    public var count: Int { keys.count }
}

/// Why a key set can't be used. Keys are counted from 0.
public enum PublicKeyFault: Error, Sendable, Equatable {
    /// Not a JSON object with an array `keys`, or a member in it twice.
    case notAKeySet
    case tooManyKeys(limit: Int)
    /// A member is missing or makes no key, or an RSA key is weak, or not of 2048 to 8192 bits.
    case invalidKey(index: Int)
    /// The key has its private part; whoever holds the file could sign tokens.
    case privateKey(index: Int)
    /// An earlier key of the same algorithm has the same `kid`.
    case duplicateKeyID(index: Int)
    /// No key of the set is for RS256, ES256 or EdDSA.
    case noUsableKey
}
