public import Access
public import Tables

/// The built-in APIs, which the official client test suites call.
public enum BuiltInAPI: String, Sendable, CaseIterable {
    case echo, movieFinder, runtimeInfo, jwtTokenGenerator
    case push, verifyRegisterInstallationResult, verifyUnregisterInstallationResult, deleteRegistrationsForChannel

    /// What the built-in APIs need from the server.
    public struct Context: Sendable {
        /// The product's version, as reported to clients.
        public var version: String
        /// Signs tokens; nil if there is no signing key.
        public var minter: TokenMinter?
        /// The clients' registrations for push messages.
        public var push: PushRegistry
        /// The clock for the start time of tokens.
        public var clock: Clock

        /// Creates a context.
        public init(version: String, minter: TokenMinter?, push: PushRegistry, clock: @escaping Clock) {
            self.version = version
            self.minter = minter
            self.push = push
            self.clock = clock
        }
    }

    /// Whether the API gives tokens to anyone, which no production server should do.
    public var mintsTokens: Bool { self == .jwtTokenGenerator }

    /// Adds the handlers of this API to a definition.
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
