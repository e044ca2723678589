import Testing

@testable import ServerConfiguration

@Suite("Signing keys in a configuration")
struct SigningKeyFileTests {
    private static let digits = String(repeating: "1f", count: 32)
    private static let letters = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3"

    private static func words(_ configuration: Configuration) -> [String] {
        configuration.explanations.map { String($0.sentence.prefix { $0 != ";" }) }
    }

    @Test(arguments: [
        (digits, "32 bytes, read as hexadecimal"), (letters, "48 bytes, read as base64"),
        ("a key in words of more than thirty-two bytes", "44 bytes, read as text"),
        ("{ text: \"\(digits)\" }", "64 bytes, read as text"), ("{ hex: \(digits) }", "32 bytes, read as hexadecimal"),
        ("{ base64: \(letters) }", "48 bytes, read as base64"), ("{ text: \(letters) }", "64 bytes, read as text"),
    ])
    func `a check tells how a key was read`(key: String, words: String) throws {
        let file = try ConfigurationDirectory(["zumod.yaml": "auth: { signingKey: \(key) }"]).read()
        #expect(Self.words(file) == ["is a key of \(words)"])
        let isSaid = key.hasPrefix("{")
        #expect(file.explanations.allSatisfy { $0.sentence.contains("say how: { text") != isSaid })
        let variable = try ConfigurationDirectory().read(
            environment: ["ZUMOD_AUTH_SIGNING_KEY": key.replacing("\"", with: "")])
        #expect(Self.words(variable) == ["is a key of \(words)"])
    }

    @Test func `older keys have forms of their own, and count as weak ones do`() throws {
        let directory = try ConfigurationDirectory([
            "zumod.yaml":
                "auth:\n  signingKey: \(Self.digits)\n  oldSigningKeys: [ { text: short }, \(Self.letters) ]\n"
        ])
        let configuration = try directory.read()
        #expect(
            configuration.auth.oldSigningKeys.map { "\($0)" } == [
                "SigningKey(text, 5 bytes)", "SigningKey(base64, 48 bytes)",
            ])
        #expect(configuration.warnings.map { $0.key ?? "" } == ["auth.oldSigningKeys[0]"])
        let other = try directory.read(
            environment: ["ZUMOD_AUTH_OLD_SIGNING_KEYS": "\(Self.letters),{text:\(Self.digits)}"])
        #expect(
            other.auth.oldSigningKeys.map { "\($0)" } == ["SigningKey(base64, 48 bytes)", "SigningKey(text, 64 bytes)"])
        #expect(other.warnings.isEmpty)
        #expect(other.explanations.count == 3)
    }

    /// Of one pair, as openssl, certificates and key sets hand them around.
    private static let der =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D7gS2XpJFbZiItSs3m9+9Ue6GnvHw/GW2ZZaVtszggXIw=="

    @Test(arguments: [
        der, "{ base64: \(der) }", "|-\n    -----BEGIN PUBLIC KEY-----\n    \(der)\n    -----END PUBLIC KEY-----",
        "|-\n    -----BEGIN CERTIFICATE-----\n    \(der)\n    -----END CERTIFICATE-----",
        #"{ text: "-----BEGIN RSA PUBLIC KEY-----\n\#(der)\n-----END RSA PUBLIC KEY-----" }"#,
        #"'{"kty":"RSA","n":"AQAB","e":"AQAB"}'"#,
    ])
    func `what everybody may know is no key that signs`(key: String) throws {
        let faults = try ConfigurationDirectory.faults(in: "auth:\n  signingKey: \(key)")
        #expect(faults.count == 1)
        #expect(faults.first?.contains("The key is a public key or a certificate") == true, "\(faults)")
    }

    @Test(arguments: [
        #"'{"kty":"oct","k":"AQAB"}'"#, "\(der.dropLast(4))", "{ text: \(der) }",
        "|-\n    -----BEGIN PRIVATE KEY-----\n    \(der)\n    -----END PRIVATE KEY-----",
    ])
    func `a secret that looks like a public key signs on`(key: String) throws {
        #expect(try ConfigurationDirectory.faults(in: "auth:\n  signingKey: \(key)").isEmpty)
    }

    @Test(arguments: [
        ("signingKey: { txt: abc }", "auth.signingKey.txt: unknown key; did you mean auth.signingKey.text?"),
        (
            "signingKey: { text: a, hex: b }",
            "auth.signingKey: has to be one of { text: … }, { hex: … } and { base64: … }"
        ),
        ("signingKey: {}", "auth.signingKey: has to be one of { text: … }, { hex: … } and { base64: … }"),
        (
            "signingKey: { hex: 0g }",
            "auth.signingKey.hex: The key is not hexadecimal: an even number of the digits 0 to 9 and a to f."
        ),
        ("signingKey: { base64: a }", "auth.signingKey.base64: The key is not base64."),
        (
            "oldSigningKeys: [ '0000' ]",
            "auth.oldSigningKeys[0]: The key is nothing but zeros, which anybody can guess."
        ),
    ])
    func `a form that can't be is told without the key`(setting: String, fault: String) throws {
        #expect(try ConfigurationDirectory.faults(in: "auth:\n  \(setting)") == ["zumod.yaml:2: \(fault)"])
    }
}
