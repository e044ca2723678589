import Access
public import Operating
import Scalars
public import ServerConfiguration
import Tables

/// The contents of a token, as specified on a command line.
public struct TokenSpecification: Sendable {
    /// Why the specification is invalid; the sentence is for operators.
    public struct Fault: Error, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String
    }

    private let user: String
    private let claims: [String: String]
    private let lifetime: Duration

    /// Parses a specification.
    ///
    /// - Parameters:
    ///   - expires: a whole number followed by `s`, `m`, `h` or `d`.
    ///   - claims: `name=value` each.
    public init(user: String, expires: String, claims: [String]) throws(Fault) {
        self.user = user
        guard let lifetime = DurationArgument.parse(expires) else {
            throw Fault(
                description: "--expires takes a number with s, m, h or d behind it, such as 30d, not `\(expires)`")
        }
        self.lifetime = lifetime
        var named: [String: String] = [:]
        for claim in claims {
            guard let equals = claim.firstIndex(of: "="), equals > claim.startIndex else {
                throw Fault(description: "--claim takes NAME=VALUE, not `\(claim)`")
            }
            named[String(claim[..<equals])] = String(claim[claim.index(after: equals)...])
        }
        self.claims = named
    }

    /// Returns a token signed with the configured key, valid from now.
    public func token(by configuration: Configuration) throws(StartFault) -> String {
        guard let key = configuration.auth.signingKey else {
            throw .configuration("there is no signing key; set auth.signingKey or ZUMOD_AUTH_SIGNING_KEY")
        }
        let minter = TokenMinter(key: key, issuer: configuration.auth.issuer, audience: configuration.auth.audience)
        do throws(MintFault) {
            // As if the user had logged in now, so that ending the user's tokens ends this one too.
            let now = SystemClock.now().milliseconds
            return try minter.mint(
                user: user, claims: claims, lifetime: lifetime, now: now / 1_000, loggedInAt: now)
        } catch {
            switch error {
            case .noUser: throw .configuration("--user is empty")
            case .reservedClaim(let name): throw .configuration("the claim \(name) is set by zumod itself")
            case .invalidLifetime: throw .configuration("--expires has to be at least a second")
            case .tooLarge: throw .configuration("with these claims the token is too large")
            }
        }
    }
}
