import Cryptography
import Testing
import TokenTesting

@Suite("Signatures by public keys")
struct VerifyingKeyTests {
    /// A key with a message and its signature.
    struct Signed: Sendable, CustomTestStringConvertible {
        let name: String
        let key: VerifyingKey?
        let message: [UInt8]
        let signature: [UInt8]

        var testDescription: String { name }
    }

    /// The two tokens' first parts, which RFC 7515 has signed by each algorithm.
    private static func signed(_ header: String) -> [UInt8] {
        Array(
            (header + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ")
                .utf8)
    }

    /// RFC 7515 appendix A.2.
    private static let rsa = Result {
        Signed(
            name: "RS256",
            key: .rsa(
                modulus: try decoded(
                    """
                    ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4Ql\
                    L-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdb\
                    BYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK\
                    -DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
                    """),
                exponent: try decoded("AQAB")),
            message: signed("eyJhbGciOiJSUzI1NiJ9"),
            signature: try decoded(
                """
                cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9\
                uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0Gar\
                ZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgG\
                Y9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
                """))
    }

    /// RFC 7515 appendix A.3.
    private static let p256 = Result {
        Signed(
            name: "ES256",
            key: .ec(
                .p256,
                x: try decoded("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
                y: try decoded("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")),
            message: signed("eyJhbGciOiJFUzI1NiJ9"),
            signature: try decoded(
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"))
    }

    /// RFC 8032 section 7.1.
    private static func ed25519(_ number: Int, _ key: String, _ message: String, _ signature: String) throws -> Signed {
        Signed(
            name: "Ed25519, test \(number)", key: .ed25519(try bytes(key)), message: try bytes(message),
            signature: try bytes(signature))
    }

    private static func known() throws -> [Signed] {
        [
            try rsa.get(), try p256.get(),
            try ed25519(
                1, "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b\
                d25bf5f0595bbe24655141438e7a100b
                """),
            try ed25519(
                2, "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c\
                387b2eaeb4302aeeb00d291612bb0c00
                """),
            try ed25519(
                3, "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659\
                4a7c15e9716ed28dc027beceea1ec40a
                """),
        ]
    }

    @Test func `those of the standards hold`() throws {
        for signed in try Self.known() {
            let key = try #require(signed.key, "\(signed)")
            #expect(key.isValid(signed.signature, of: signed.message), "\(signed)")
        }
    }

    @Test func `not one bit of signature or message may differ`() throws {
        for signed in try Self.known() {
            let key = try #require(signed.key)
            for other in signed.signature.oneBitOff { #expect(!key.isValid(other, of: signed.message), "\(signed)") }
            for other in signed.message.oneBitOff { #expect(!key.isValid(signed.signature, of: other), "\(signed)") }
            #expect(!key.isValid(signed.signature, of: signed.message + [0]))
        }
    }

    @Test func `of a wrong length none holds`() throws {
        for signed in try Self.known() {
            let key = try #require(signed.key)
            let good = signed.signature
            for count in 0..<good.count { #expect(!key.isValid(Array(good.prefix(count)), of: signed.message)) }
            for other in [good + [0], [0] + good, good + good] { #expect(!key.isValid(other, of: signed.message)) }
        }
    }

    /// Signed by one hash and padding, asked for by each.
    @Test(arguments: [MessageKey.Hash.sha256, .sha384, .sha512], [VerifyingKey.Padding.pkcs1, .pss])
    func `of RSA hold by the hash and padding that made them, and no other`(
        _ hash: MessageKey.Hash, _ padding: VerifyingKey.Padding
    ) throws {
        let message = Array("a message".utf8)
        let signer = PrivateKey(.rsa)
        let key = try #require(VerifyingKey.rsa(modulus: signer.modulus, exponent: signer.exponent))
        let signature = try signer.signature(of: message, hash, isPSS: padding == .pss)
        for other in [MessageKey.Hash.sha256, .sha384, .sha512] {
            for way in [VerifyingKey.Padding.pkcs1, .pss] {
                let isValid = key.isValid(signature, of: message, hash: other, padding: way)
                #expect(isValid == (other == hash && way == padding), "\(other) \(way)")
            }
        }
        #expect(!key.isValid(signature, of: message + [0], hash: hash, padding: padding))
    }

    @Test(arguments: [
        (PrivateKey.Algorithm.p256, VerifyingKey.Curve.p256), (.p384, .p384), (.p521, .p521),
    ])
    func `of each curve have two numbers of its length`(
        _ algorithm: PrivateKey.Algorithm, _ curve: VerifyingKey.Curve
    ) throws {
        let message = Array("a message".utf8)
        let signer = PrivateKey(algorithm)
        let (x, y) = (Array(signer.point[1...].prefix(curve.byteCount)), Array(signer.point.suffix(curve.byteCount)))
        let key = try #require(VerifyingKey.ec(curve, x: x, y: y))
        for _ in 0..<20 {
            let signature = try signer.signature(of: message)
            #expect(signature.count == 2 * curve.byteCount)
            #expect(key.isValid(signature, of: message))
            #expect(!key.isValid(signature, of: message + [0]))
            #expect(!key.isValid(Array(signature.dropLast()), of: message))
            for other in [signature + [0], [0] + signature] { #expect(!key.isValid(other, of: message)) }
        }
        #expect(!key.isValid(try signer.signatureInDER(of: message), of: message))
    }

    @Test func `made by chance they hold, by their own key alone`() throws {
        let message = Array("a message".utf8)
        let (rsa, p256, ed25519) = (PrivateKey(.rsa), PrivateKey(.p256), PrivateKey(.ed25519))
        let keys = [
            (rsa, VerifyingKey.rsa(modulus: rsa.modulus, exponent: rsa.exponent)),
            (p256, .ec(.p256, x: Array(p256.point[1..<33]), y: Array(p256.point[33...]))),
            (ed25519, .ed25519(ed25519.point)),
        ]
        for (index, (signer, _)) in keys.enumerated() {
            let signature = try signer.signature(of: message)
            for (place, (_, key)) in keys.enumerated() {
                #expect(try #require(key).isValid(signature, of: message) == (place == index))
            }
        }
        #expect(try !#require(keys[1].1).isValid(p256.signatureInDER(of: message), of: message))
    }

    @Test func `of r or s out of their range none holds`() throws {
        let signed = try Self.p256.get()
        let key = try #require(signed.key)
        let order = try bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let (r, s) = (Array(signed.signature[..<32]), Array(signed.signature[32...]))
        let zero = [UInt8](repeating: 0, count: 32)
        let full = [UInt8](repeating: 255, count: 32)
        for wrong in [zero, order, full] {
            #expect(!key.isValid(wrong + s, of: signed.message))
            #expect(!key.isValid(r + wrong, of: signed.message))
            #expect(!key.isValid(wrong + wrong, of: signed.message))
        }
    }
}
