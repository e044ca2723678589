import Cryptography
import Foundation
import Testing

@Suite("The system's algorithms")
struct AlgorithmsTests {
    @Test func `are all there`() throws {
        try Algorithms.prepare()
        // As they are at each reading of a configuration.
        try Algorithms.prepare()
    }

    /// A process of its own, as OpenSSL reads its configuration once.
    @Test func `are missed by their names where a configuration leaves out the provider that has them`() async {
        await #expect(processExitsWith: .success) {
            let path = NSTemporaryDirectory() + "zumod-openssl-\(UUID().uuidString).cnf"
            let text = "openssl_conf = a\n[a]\nproviders = b\n[b]\nbase = c\n[c]\nactivate = 1\n"
            try Data(text.utf8).write(to: URL(filePath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            #expect(unsafe setenv("OPENSSL_CONF", path, 1) == 0)
            #expect(
                throws: CryptographyFault.missing([
                    "SHA-256", "SHA-384", "SHA-512", "HMAC", "HKDF", "scrypt", "AES-256-GCM", "RSA", "ECDSA", "Ed25519",
                ])
            ) { try Algorithms.prepare() }
        }
    }

    @Test func `that are missing are told to the operator`() {
        #expect(
            "\(CryptographyFault.missing(["RSA", "HMAC"]))"
                == "OpenSSL has no RSA, HMAC: its default provider has to be active, by openssl.cnf or by the file that "
                + "OPENSSL_CONF names")
    }
}
