import Cryptography
import Foundation
import Testing
import TokenTesting

@Suite("Keys on many threads")
struct SharedKeyTests {
    /// Runs the same on eight threads at a time.
    /// - Returns: how often it said yes.
    private func onEightThreads(_ work: @escaping @Sendable () -> Bool) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread { continuation.resume(returning: work()) }
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test(arguments: [PrivateKey.Algorithm.rsa, .p256, .ed25519])
    func `one verifying key serves eight at a time`(algorithm: PrivateKey.Algorithm) async throws {
        let signer = PrivateKey(algorithm)
        let key =
            switch algorithm {
            case .rsa: VerifyingKey.rsa(modulus: signer.modulus, exponent: signer.exponent)
            case .p256, .p384, .p521:
                VerifyingKey.ec(.p256, x: Array(signer.point[1..<33]), y: Array(signer.point[33...]))
            case .ed25519: VerifyingKey.ed25519(signer.point)
            }
        let verifier = try #require(key)
        let message = Array("a message".utf8)
        let signature = try signer.signature(of: message)
        var forged = signature
        forged[40] ^= 1
        let count = await onEightThreads { [forged] in
            (0..<40).allSatisfy { _ in
                verifier.isValid(signature, of: message) && !verifier.isValid(forged, of: message)
            }
        }
        #expect(count == 8)
    }

    @Test(arguments: [MessageKey.Hash.sha256, .sha384, .sha512])
    func `one key of message codes serves eight at a time`(hash: MessageKey.Hash) async {
        let secret = Array("secret".utf8)
        let key = MessageKey(secret, hash)
        let messages = (0..<200).map { Array(repeating: UInt8($0), count: $0 * 7) }
        // Each by a key that nobody else uses.
        let codes = messages.map { MessageKey(secret, hash).code(of: $0) }
        let count = await onEightThreads {
            (0..<10).allSatisfy { _ in
                zip(messages, codes).allSatisfy { message, code in
                    key.code(of: message) == code && key.isCode(code, of: message)
                }
            }
        }
        #expect(count == 8)
    }

    @Test func `seals, digests and passwords serve eight at a time`() async {
        let seal = SealingKey(Array(repeating: 7, count: 32))
        let message = Array("a message".utf8)
        let digest = Digest.sha256(message.span)
        let password = Scrypt.key(of: "password", salt: "salt", cost: 16, blockSize: 8, lanes: 1)
        let count = await onEightThreads {
            (0..<40).allSatisfy { _ in
                seal.open(seal.seal(message)) == message && Digest.sha256(message.span) == digest
                    && Scrypt.key(of: "password", salt: "salt", cost: 16, blockSize: 8, lanes: 1) == password
            }
        }
        #expect(count == 8)
    }
}
