internal import ByteText
internal import Cryptography
internal import JSONText

/// A key that verifies signatures.
struct PublicKey: Sendable {
    /// The key's `kid`; nil if it has none.
    let id: String?
    /// The algorithms that it may verify: one if the key names it, otherwise all that suit such a key.
    let algorithms: [PublicKeyAlgorithm]
    /// The issuer that it signs for, if its set says so, as Microsoft's do; a tenant may be written as `{tenantid}`.
    let issuer: String?
    private let key: VerifyingKey

    /// Verifies a signature by one of the algorithms; one of the wrong length is invalid.
    func isValid(_ signature: [UInt8], for message: [UInt8], _ algorithm: PublicKeyAlgorithm) -> Bool {
        switch algorithm {
        case .rs256: key.isValid(signature, of: message)
        case .rs384: key.isValid(signature, of: message, hash: .sha384)
        case .rs512: key.isValid(signature, of: message, hash: .sha512)
        case .ps256: key.isValid(signature, of: message, padding: .pss)
        case .ps384: key.isValid(signature, of: message, hash: .sha384, padding: .pss)
        case .ps512: key.isValid(signature, of: message, hash: .sha512, padding: .pss)
        case .es256, .es384, .es512, .edDSA: key.isValid(signature, of: message)
        }
    }

    /// Returns whether a token that names one of the two may mean the other.
    func isTwin(of other: PublicKey) -> Bool {
        id == other.id && algorithms.contains { other.algorithms.contains($0) }
    }

    /// The result of reading a member of a set.
    enum Reading {
        case key(PublicKey)
        /// A key for another purpose than verifying tokens.
        case other
        /// A key that may be for verifying tokens, and why it can't be used.
        case unusable(id: String?, String)
    }

    /// Reads a key of a set. Since issuers differ, null and empty members count as absent.
    static func read(_ value: JSONValue) -> Reading {
        let object: StrictObject
        do {
            object = try StrictObject(value)
        } catch .duplicateMember {
            return .unusable(id: nil, "has a member twice")
        } catch {
            return .unusable(id: nil, "is no object")
        }
        let id = object.word("kid")
        guard object.isThere("use") ? object.text("use") == "sig" : true else { return .other }
        if object.isThere("key_ops") {
            guard case .array(let list) = object["key_ops"], list.contains(.string("verify")) else { return .other }
        }
        guard object.word("kty") != "oct" else { return .other }
        guard !object.isThere("d") else { return .unusable(id: id, "has its private part, with which anybody signs") }
        do throws(Misfit) {
            let (key, own) = try material(of: object)
            let algorithms = try algorithms(own, of: object)
            return .key(PublicKey(id: id, algorithms: algorithms, issuer: object.word("issuer"), key: key))
        } catch {
            return .unusable(id: id, error.words)
        }
    }

    private struct Misfit: Error {
        let words: String
    }

    /// RFC 7517: a key that names an algorithm is only for that one.
    private static func algorithms(
        _ own: [PublicKeyAlgorithm], of key: StrictObject
    ) throws(Misfit) -> [PublicKeyAlgorithm] {
        guard key.isThere("alg") else { return own }
        guard let named = key.text("alg").flatMap({ PublicKeyAlgorithm(name: $0) }), own.contains(named) else {
            throw Misfit(words: "is for the algorithm \(key.shown("alg")), which isn't understood of such a key")
        }
        return [named]
    }

    private static func material(of key: StrictObject) throws(Misfit) -> (VerifyingKey, [PublicKeyAlgorithm]) {
        switch (key.word("kty"), key.word("crv")) {
        case ("RSA", _):
            let (modulus, exponent) = (try bytes("n", of: key), try bytes("e", of: key))
            guard let rsa = VerifyingKey.rsa(modulus: modulus, exponent: exponent) else {
                let bits = modulus.drop { $0 == 0 }.count * 8
                throw Misfit(words: "is no RSA key of 2,048 to 8,192 bits (it has about \(bits))")
            }
            return (rsa, PublicKeyAlgorithm.ofRSA)
        case ("EC", "P-256"): return (try point(.p256, of: key), [.es256])
        case ("EC", "P-384"): return (try point(.p384, of: key), [.es384])
        case ("EC", "P-521"): return (try point(.p521, of: key), [.es512])
        case ("OKP", "Ed25519"):
            let x = try bytes("x", of: key)
            guard !SmallOrderPoint.has(x), let ed25519 = VerifyingKey.ed25519(x) else {
                throw Misfit(words: "is no Ed25519 key")
            }
            return (ed25519, [.edDSA])
        default:
            let curve = key.isThere("crv") ? " with the curve \(key.shown("crv"))" : ""
            throw Misfit(words: "is of a kind that isn't understood: \(key.shown("kty"))\(curve)")
        }
    }

    private static func point(_ curve: VerifyingKey.Curve, of key: StrictObject) throws(Misfit) -> VerifyingKey {
        let (x, y) = (coordinate(try bytes("x", of: key), curve), coordinate(try bytes("y", of: key), curve))
        guard let point = VerifyingKey.ec(curve, x: x, y: y) else {
            throw Misfit(words: "is no point of \(curve.rawValue)")
        }
        return point
    }

    /// Pads or trims a coordinate to the right length: some issuers write a number without its leading zeros, or with
    /// an extra one.
    private static func coordinate(_ bytes: [UInt8], _ curve: VerifyingKey.Curve) -> [UInt8] {
        let number = bytes.drop { $0 == 0 }
        return Array(repeating: 0, count: max(0, curve.byteCount - number.count)) + number
    }

    /// Reads a number in base64url, which some issuers pad.
    private static func bytes(_ name: String, of key: StrictObject) throws(Misfit) -> [UInt8] {
        guard let text = key.word(name) else {
            let certificate = key.isThere("x5c") ? ", but a certificate (x5c), which isn't looked into" : ""
            throw Misfit(words: "has no \(name)\(certificate)")
        }
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        guard let bytes = Base64.decode(digits, .url) else {
            throw Misfit(words: "has an \(name) that is no base64url")
        }
        return bytes
    }
}

extension StrictObject {
    /// Returns whether a member has a value: .NET writes null and empty lists for absent ones.
    fileprivate func isThere(_ name: String) -> Bool {
        switch self[name] {
        case nil, .null, .array([]), .string(""): false
        default: true
        }
    }

    /// Returns a non-empty text.
    fileprivate func word(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
