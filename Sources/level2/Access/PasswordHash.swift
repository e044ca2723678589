internal import ByteText
internal import Cryptography

/// A stored password: a salted scrypt hash (RFC 7914), from which the password can't be recovered.
///
/// Computing or checking one takes a tenth of a second and 32 MiB, to make guessing expensive: never do it on an event
/// loop.
public struct PasswordHash: Sendable, Equatable {
    /// `scrypt$COST$BLOCK$LANES$SALT$HASH`, the last two in base64url.
    public let text: String

    private let parameters: Parameters
    private let salt: [UInt8]
    private let hash: [UInt8]

    private struct Parameters: Equatable {
        let cost: Int
        let blockSize: Int
        let lanes: Int

        /// As strong as OWASP's first choice, with a quarter of the memory.
        static let current = Parameters(cost: 1 << 15, blockSize: 8, lanes: 3)
    }

    /// The minimum and maximum length of a password in characters.
    public static let lengths = 8...256

    /// Why a password is rejected.
    public enum Fault: Error, Sendable, Equatable {
        case tooShort(least: Int)
        case tooLong(most: Int)
        /// There is no memory to hash it.
        case noMemory
    }

    /// Hashes a new password with a new salt.
    public init(of password: String) throws(Fault) {
        let password = PreparedText.password(password)
        let count = password.unicodeScalars.count
        guard count >= Self.lengths.lowerBound else { throw .tooShort(least: Self.lengths.lowerBound) }
        guard count <= Self.lengths.upperBound else { throw .tooLong(most: Self.lengths.upperBound) }
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        guard let hash = Self.derive(password, salt, .current) else { throw .noMemory }
        self.init(.current, salt, hash)
    }

    /// Parses a stored hash; nil if the text isn't one.
    public init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let cost = Int(parts[1]), let blockSize = Int(parts[2]),
            let lanes = Int(parts[3]), let salt = Base64.decode(parts[4].utf8, .url),
            let hash = Base64.decode(parts[5].utf8, .url), (1...1 << 20).contains(cost), cost.nonzeroBitCount == 1,
            (1...32).contains(blockSize), (1...16).contains(lanes), !hash.isEmpty
        else { return nil }
        self.init(Parameters(cost: cost, blockSize: blockSize, lanes: lanes), salt, hash)
    }

    private init(_ parameters: Parameters, _ salt: [UInt8], _ hash: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
        let costs = "\(parameters.cost)$\(parameters.blockSize)$\(parameters.lanes)"
        text = "scrypt$\(costs)$\(Base64.url(salt))$\(Base64.url(hash))"
    }

    /// Returns whether a password has this hash, comparing in constant time.
    public func matches(_ password: String) -> Bool {
        guard Self.mayBePassword(password) else { return false }
        return PreparedText.passwords(password).contains { password in
            Self.derive(password, salt, parameters).map { ConstantTime.isEqual($0.span, hash.span) } ?? false
        }
    }

    /// Returns whether the text isn't too long to be a password.
    public static func mayBePassword(_ password: String) -> Bool {
        // A letter with marks is several characters until it is composed.
        password.unicodeScalars.count <= 4 * lengths.upperBound
            && PreparedText.password(password).unicodeScalars.count <= lengths.upperBound
    }

    /// A hash to compare with if there is no such user, which takes the same time and matches no password.
    public static let ofNobody = PasswordHash(.current, Array(repeating: 0, count: 16), Array(repeating: 0, count: 32))

    /// - Returns: nil if there isn't enough memory.
    private static func derive(_ password: String, _ salt: [UInt8], _ parameters: Parameters) -> [UInt8]? {
        Scrypt.key(
            of: password.utf8Span.span, salt: salt.span, cost: parameters.cost, blockSize: parameters.blockSize,
            lanes: parameters.lanes)
    }
}
