import COpenSSL
import Cryptography
import Testing
import TokenTesting

/// What a thread keeps of OpenSSL's errors is read by whoever fails next on it, above all by a TLS session.
@Suite("OpenSSL's errors")
struct ErrorQueueTests {
    private static let rsa = PrivateKey(.rsa)

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isRefused: @Sendable () throws -> Bool

        init(_ name: String, _ isRefused: @escaping @Sendable () throws -> Bool) {
            testDescription = name
            self.isRefused = isRefused
        }
    }

    @Test(arguments: [
        Refusal("a signature of RSA") {
            try !#require(VerifyingKey.rsa(modulus: rsa.modulus, exponent: rsa.exponent))
                .isValid(Array(repeating: 0xFF, count: 256), of: [])
        },
        Refusal("a short signature of RSA") {
            try !#require(VerifyingKey.rsa(modulus: rsa.modulus, exponent: rsa.exponent)).isValid([1], of: [])
        },
        Refusal("a signature of P-256") {
            let point = PrivateKey(.p256).point
            return try !#require(VerifyingKey.ec(.p256, x: Array(point[1..<33]), y: Array(point[33...])))
                .isValid(Array(repeating: 0, count: 64), of: [])
        },
        Refusal("a signature of Ed25519") {
            try !#require(VerifyingKey.ed25519(PrivateKey(.ed25519).point))
                .isValid(Array(repeating: 0xFF, count: 64), of: [])
        },
        Refusal("a point off the curve") {
            VerifyingKey.ec(.p256, x: Array(repeating: 0, count: 32), y: Array(repeating: 0, count: 32)) == nil
        },
        Refusal("sealed bytes") {
            SealingKey(Array(repeating: 0, count: 32)).open(Array(repeating: 0, count: 40)) == nil
        },
        Refusal("too much memory for scrypt") {
            Scrypt.key(of: "", salt: "", cost: 1 << 20, blockSize: 32, lanes: 16) == nil
        },
        Refusal("a cost of scrypt") {
            Scrypt.key(of: "", salt: "", cost: 1_000, blockSize: 8, lanes: 1) == nil
        },
    ])
    func `of a refusal nothing is left behind`(refusal: Refusal) throws {
        ERR_clear_error()
        #expect(try refusal.isRefused())
        #expect(ERR_peek_error() == 0)
    }

    @Test func `of what is done nothing is left behind`() throws {
        ERR_clear_error()
        let message = Array("message".utf8)
        let (ed25519, p256) = (PrivateKey(.ed25519), PrivateKey(.p256))
        #expect(
            try #require(VerifyingKey.ed25519(ed25519.point))
                .isValid(try ed25519.signature(of: message), of: message))
        #expect(
            try #require(VerifyingKey.ec(.p256, x: Array(p256.point[1..<33]), y: Array(p256.point[33...])))
                .isValid(try p256.signature(of: message), of: message))
        let code = MessageKey(message, .sha512).code(of: message)
        #expect(MessageKey(message, .sha512).isCode(code, of: message))
        let derived = KeyDerivation.key(from: Digest.sha256(message.span).span, for: "a test")
        let seal = SealingKey(derived)
        #expect(seal.open(seal.seal(message)) == message)
        #expect(Scrypt.key(of: "", salt: "", cost: 16, blockSize: 1, lanes: 1) != nil)
        let rsa = try #require(VerifyingKey.rsa(modulus: Self.rsa.modulus, exponent: Self.rsa.exponent))
        #expect(rsa.isValid(try Self.rsa.signature(of: message), of: message))
        #expect(ERR_peek_error() == 0)
    }
}
