public import Access
public import Tables

/// The built-in APIs: what the official client suites call.
public enum BuiltInAPI: String, Sendable, CaseIterable {
    case echo, movieFinder, runtimeInfo, jwtTokenGenerator
    case push, verifyRegisterInstallationResult, verifyUnregisterInstallationResult, deleteRegistrationsForChannel

    /// What the built-in APIs need of the server.
    public struct Context: Sendable {
        /// The product, as it calls itself.
        public var version: String
        /// Signs tokens; nil if there is no key to sign with.
        public var minter: TokenMinter?
        /// What clients have registered for push messages.
        public var push: PushRegistry
        /// The start time of tokens.
        public var clock: Clock

        /// Makes a context.
        public init(version: String, minter: TokenMinter?, push: PushRegistry, clock: @escaping Clock) {
            self.version = version
            self.minter = minter
            self.push = push
            self.clock = clock
        }
    }

    /// Whether the API gives tokens away, which no server that others rely on should do.
    public var mintsTokens: Bool { self == .jwtTokenGenerator }

    /// Adds the handlers of this kind to a definition.
    public func define(_ api: inout APIDefinition, _ context: Context) {
        switch self {
        case .echo: EchoAPI.define(&api)
        case .movieFinder: MovieFinderAPI.define(&api)
        case .runtimeInfo: RuntimeInfoAPI.define(&api, version: context.version)
        case .jwtTokenGenerator: TokenGeneratorAPI.define(&api, minter: context.minter, clock: context.clock)
        case .push: PushAPIs.defineSending(&api)
        case .verifyRegisterInstallationResult: PushAPIs.defineRegistered(&api, context.push)
        case .verifyUnregisterInstallationResult: PushAPIs.defineUnregistered(&api, context.push)
        case .deleteRegistrationsForChannel: PushAPIs.defineDeletion(&api, context.push)
        }
    }
}
