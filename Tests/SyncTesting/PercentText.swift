/// Percent-encoding as client libraries do it, which differ in the characters that they leave as they are.
struct PercentText {
    private let kept: Set<UInt8>

    /// - Parameter kept: the characters that stay besides letters, digits and `-._~`.
    init(keeping kept: String) {
        self.kept = Set(kept.utf8)
    }

    /// As a part of a path: Cocoa's and .NET's rules, where only ids with unusual characters would differ.
    static let pathPart = PercentText(keeping: "")

    func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where kept.contains(byte):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                encoded += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return encoded
    }
}
