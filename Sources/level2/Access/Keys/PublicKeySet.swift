internal import JSONText

/// The public keys of a token issuer, as it publishes them (a JWKS, RFC 7517).
///
/// RSA keys of 2048 to 8192 bits, P-256, P-384, P-521 and Ed25519 keys are accepted. Sets are third-party documents:
/// anything not understood in one is skipped and reported.
public struct PublicKeySet: Sendable {
    /// The maximum number of usable keys of a set, since a token without a key id is tried with each.
    public static let maximumKeys = 32

    /// The maximum number of remarks about one set.
    private static let mostRemarks = 32

    let keys: [PublicKey]
    /// What was skipped or is unusual in the set, each a sentence for the operator.
    public let remarks: [String]

    /// Parses the text of a set.
    public init(jwks text: String) throws(PublicKeyFault) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = Array(text.utf8)
        guard
            case .object(let members)? = try? JSONReader.parse(
                bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes)
        else { throw .notAKeySet }
        let lists = members.filter { $0.name == "keys" }.map(\.value)
        guard lists.count == 1, case .array(let values) = lists[0] else { throw .notAKeySet }
        var keys: [PublicKey] = []
        var remarks: [String] = []
        for (index, value) in values.enumerated() {
            switch PublicKey.read(value) {
            case .other: continue
            case .unusable(let id, let words): remarks.append("\(Self.name(index, id)) is passed over: it \(words)")
            case .key(let key):
                guard keys.count < Self.maximumKeys else {
                    remarks.append("\(Self.name(index, key.id)) is passed over: \(Self.maximumKeys) keys are the most")
                    continue
                }
                if let id = key.id, keys.contains(where: { $0.isTwin(of: key) }) {
                    remarks.append("\(Self.name(index, id)) has the kid of an earlier key: tokens are tried with both")
                }
                keys.append(key)
            }
        }
        if remarks.count > Self.mostRemarks {
            let rest = remarks.count - Self.mostRemarks
            remarks.removeLast(rest)
            remarks.append("\(rest) more of its keys are passed over or odd")
        }
        guard !keys.isEmpty else { throw .noUsableKey(remarks) }
        self.keys = keys
        self.remarks = remarks
    }

    private static func name(_ index: Int, _ id: String?) -> String {
        "key \(index) (counted from 0\(id.map { "; kid \($0.prefix(80))" } ?? ""))"
    }

    /// The number of usable keys in the set.
    public var count: Int { keys.count }
}

/// Why a key set can't be used.
public enum PublicKeyFault: Error, Sendable, Equatable {
    /// Not a JSON object with one array `keys`.
    case notAKeySet
    /// No key of the set can verify tokens; with the reason for each that may be meant to.
    case noUsableKey([String])
}
