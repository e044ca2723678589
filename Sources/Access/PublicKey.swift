internal import ByteText
internal import Crypto
internal import CryptoExtras
internal import JSONText

/// A key that checks signatures of one algorithm.
struct PublicKey: Sendable {
    /// The key's `kid`; nil where it has none.
    let id: String?
    private let key: Key

    private enum Key: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    /// Reads a key of a set.
    ///
    /// - Returns: nil for a key that is meant for something else than checking tokens of a supported algorithm.
    init?(_ object: StrictObject, index: Int) throws(PublicKeyFault) {
        guard let algorithm = Self.algorithm(of: object) else { return nil }
        guard object["d"] == nil else { throw .privateKey(index: index) }
        guard let key = try? Self.key(algorithm, object) else { throw .invalidKey(index: index) }
        self.key = key
        self.id = object.text("kid")
    }

    var algorithm: PublicKeyAlgorithm {
        switch key {
        case .rsa: .rsa
        case .p256: .p256
        case .ed25519: .ed25519
        }
    }

    /// Checks a signature; one of a wrong length is wrong.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch key {
        case .rsa(let key):
            // RS256 is PKCS #1 v1.5 with SHA-256 (RFC 7518 section 3.3).
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
                padding: .insecurePKCS1v1_5)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: message))
        case .ed25519(let key):
            return key.isValidSignature(signature, for: message)
        }
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

    /// The RSA key's size is checked by the package: 2048 bits at least.
    private static func key(_ algorithm: PublicKeyAlgorithm, _ key: StrictObject) throws -> Key? {
        switch algorithm {
        case .rsa:
            guard let modulus = bytes("n", of: key), let exponent = bytes("e", of: key) else { return nil }
            return .rsa(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
        case .p256:
            guard let x = coordinate("x", of: key), let y = coordinate("y", of: key) else { return nil }
            return .p256(try P256.Signing.PublicKey(rawRepresentation: x + y))
        case .ed25519:
            guard let x = coordinate("x", of: key), !SmallOrderPoint.has(x) else { return nil }
            return .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: x))
        }
    }

    private static func bytes(_ name: String, of key: StrictObject) -> [UInt8]? {
        key.text(name).flatMap { Base64.decode($0.utf8, .url) }
    }

    private static func coordinate(_ name: String, of key: StrictObject) -> [UInt8]? {
        bytes(name, of: key).flatMap { $0.count == 32 ? $0 : nil }
    }
}
