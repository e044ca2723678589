import Cryptography
import Testing
import TokenTesting

@Suite("Public keys that are none")
struct WeakKeyTests {
    /// An odd number of so many bits, the highest byte first.
    private static func number(bits: Int, isOdd: Bool = true) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (bits + 7) / 8)
        bytes[0] = 1 << UInt8((bits - 1) % 8)
        if isOdd { bytes[bytes.count - 1] |= 1 }
        return bytes
    }

    struct Numbers: Sendable, CustomTestStringConvertible {
        let name: String
        let modulus: [UInt8]
        let exponent: [UInt8]

        init(_ name: String, _ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1]) {
            self.name = name
            self.modulus = modulus
            self.exponent = exponent
        }

        var testDescription: String { name }
    }

    @Test(arguments: [
        Numbers("2,048 bits", number(bits: 2_048)), Numbers("8,192 bits", number(bits: 8_192)),
        Numbers("zeros before both", [0, 0] + number(bits: 2_048), [0, 1, 0, 1]),
        Numbers("an exponent of 3", number(bits: 2_048), [3]),
        Numbers("an exponent of 33 bits", number(bits: 2_048), number(bits: 33)),
    ])
    func `an RSA key's numbers are taken up to their bounds`(numbers: Numbers) {
        #expect(VerifyingKey.rsa(modulus: numbers.modulus, exponent: numbers.exponent) != nil)
    }

    @Test(arguments: [
        Numbers("an even modulus", number(bits: 2_048, isOdd: false)),
        Numbers("a modulus of 1,024 bits", number(bits: 1_024)),
        Numbers("a modulus of 2,047 bits", number(bits: 2_047)),
        Numbers("a modulus of 2,047 bits behind zeros", [0, 0] + number(bits: 2_047)),
        Numbers("a modulus of 8,193 bits", number(bits: 8_193)),
        Numbers("no modulus", []), Numbers("a modulus of nothing", [0]),
        Numbers("no exponent", number(bits: 2_048), []), Numbers("an exponent of nothing", number(bits: 2_048), [0]),
        Numbers("an exponent of 1", number(bits: 2_048), [1]), Numbers("an exponent of 2", number(bits: 2_048), [2]),
        Numbers("an exponent of 1 behind zeros", number(bits: 2_048), [0, 0, 0, 1]),
        Numbers("an even exponent", number(bits: 2_048), [1, 0, 0]),
        Numbers("an exponent of 34 bits", number(bits: 2_048), number(bits: 34)),
        Numbers("an exponent as long as the modulus", number(bits: 2_048), number(bits: 2_048)),
    ])
    func `an RSA key of weak numbers is refused`(numbers: Numbers) {
        #expect(VerifyingKey.rsa(modulus: numbers.modulus, exponent: numbers.exponent) == nil)
    }

    @Test func `a point of P-256 lies on the curve, in 32 bytes each`() throws {
        let point = PrivateKey(.p256).point
        let (x, y) = (Array(point[1..<33]), Array(point[33...]))
        #expect(VerifyingKey.ec(.p256, x: x, y: y) != nil)
        let zero = [UInt8](repeating: 0, count: 32)
        let prime = try bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        for (x, y) in [(y, x), (zero, zero), (x, zero), (prime, y), (x, prime), (prime, prime)] {
            #expect(VerifyingKey.ec(.p256, x: x, y: y) == nil)
        }
        for other in x.oneBitOff { #expect(VerifyingKey.ec(.p256, x: other, y: y) == nil) }
        for (x, y) in [([0] + x, y), (x, [0] + y), (Array(x.dropLast()), y), ([], []), ([], [0]), (x + y, [])] {
            #expect(VerifyingKey.ec(.p256, x: x, y: y) == nil)
        }
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func `a key of Ed25519 has 32 bytes`(count: Int) {
        #expect(VerifyingKey.ed25519(Array(repeating: 9, count: count)) == nil)
        #expect(VerifyingKey.ed25519(PrivateKey(.ed25519).point) != nil)
    }
}
