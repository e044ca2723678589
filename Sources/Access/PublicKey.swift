internal import ByteText
internal import Cryptography
internal import JSONText

/// A key that checks signatures of one algorithm.
struct PublicKey: Sendable {
    /// The key's `kid`; nil where it has none.
    let id: String?
    let algorithm: PublicKeyAlgorithm
    /// For whom it signs, where its set says as Microsoft's does; a tenant of it may be written `{tenantid}`.
    let issuer: String?
    private let key: VerifyingKey

    /// Reads a key of a set.
    ///
    /// - Returns: nil for a key that is meant for something else than checking tokens of a supported algorithm.
    init?(_ object: StrictObject, index: Int) throws(PublicKeyFault) {
        guard let algorithm = Self.algorithm(of: object) else { return nil }
        guard object["d"] == nil else { throw .privateKey(index: index) }
        guard let key = Self.key(algorithm, object) else { throw .invalidKey(index: index) }
        self.algorithm = algorithm
        self.key = key
        self.id = object.text("kid")
        self.issuer = object.text("issuer")
    }

    /// Checks a signature; one of a wrong length is wrong.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, of: message)
    }

    /// RFC 7517: keys of another type, use or algorithm are skipped, not refused.
    private static func algorithm(of key: StrictObject) -> PublicKeyAlgorithm? {
        let algorithm: PublicKeyAlgorithm
        switch (key.text("kty"), key.text("crv")) {
        case ("RSA", _): algorithm = .rsa
        case ("EC", "P-256"): algorithm = .p256
        case ("OKP", "Ed25519"): algorithm = .ed25519
        default: return nil
        }
        guard key["use"] == nil || key.text("use") == "sig" else { return nil }
        if let operations = key["key_ops"] {
            guard case .array(let list) = operations, list.contains(.string("verify")) else { return nil }
        }
        guard key["alg"] == nil || key.text("alg") == algorithm.rawValue else { return nil }
        return algorithm
    }

    private static func key(_ algorithm: PublicKeyAlgorithm, _ key: StrictObject) -> VerifyingKey? {
        switch algorithm {
        case .rsa:
            guard let modulus = bytes("n", of: key), let exponent = bytes("e", of: key) else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        case .p256:
            guard let x = bytes("x", of: key), let y = bytes("y", of: key) else { return nil }
            return .p256(x: x, y: y)
        case .ed25519:
            guard let x = bytes("x", of: key), !SmallOrderPoint.has(x) else { return nil }
            return .ed25519(x)
        }
    }

    private static func bytes(_ name: String, of key: StrictObject) -> [UInt8]? {
        key.text(name).flatMap { Base64.decode($0.utf8, .url) }
    }
}
