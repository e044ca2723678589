internal import Crypto
internal import JWTKit

/// A key that checks signatures of one algorithm.
struct PublicKey: Sendable {
    let algorithm: PublicKeyAlgorithm
    /// The key's `kid`; nil where it has none.
    let id: String?
    private let verifier: any JWTAlgorithm

    /// Reads a key of a set.
    ///
    /// - Returns: nil for a key that is meant for something else than checking tokens of a supported algorithm.
    init?(_ key: StrictObject, index: Int) async throws(PublicKeyFault) {
        guard let algorithm = Self.algorithm(of: key) else { return nil }
        guard key["d"] == nil else { throw .privateKey(index: index) }
        guard let verifier = try? await Self.verifier(algorithm, key) else { throw .invalidKey(index: index) }
        self.verifier = verifier
        self.algorithm = algorithm
        self.id = key.text("kid")
    }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        // It throws for signatures that can't be one, those of a wrong length for example.
        (try? verifier.verify(signature, signs: message)) ?? false
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
        guard key["alg"] == nil || key.text("alg") == algorithm.rawValue else { return nil }
        return algorithm
    }

    private static func verifier(
        _ algorithm: PublicKeyAlgorithm, _ key: StrictObject
    ) async throws -> (any JWTAlgorithm)? {
        // The package hands out its algorithms through a collection only, which is an actor.
        let collection = JWTKeyCollection()
        switch algorithm {
        case .rsa:
            guard let modulus = key.text("n"), let exponent = key.text("e") else { return nil }
            let rsa = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            await collection.add(rsa: rsa, digestAlgorithm: .sha256)
        case .p256:
            guard let x = coordinate("x", of: key), let y = coordinate("y", of: key) else { return nil }
            let point = try P256.Signing.PublicKey(rawRepresentation: x + y)
            await collection.add(ecdsa: try ES256PublicKey(backing: point))
        case .ed25519:
            guard let x = coordinate("x", of: key) else { return nil }
            let point = try Curve25519.Signing.PublicKey(rawRepresentation: x)
            await collection.add(eddsa: EdDSA.PublicKey(backing: point))
        }
        return try await collection.getKey()
    }

    private static func coordinate(_ name: String, of key: StrictObject) -> [UInt8]? {
        guard let text = key.text(name), let bytes = Base64.decode(text.utf8, .url), bytes.count == 32
        else { return nil }
        return bytes
    }
}
