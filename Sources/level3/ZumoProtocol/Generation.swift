public import HTTPModel

/// The protocol of a request, with what every route has to know about it. How tables behave in it is defined elsewhere.
public struct Generation: Sendable, RawRepresentable, CaseIterable {
    /// A single reference, as each request passes it on a dozen times.
    private let traits: Traits

    private final class Traits: Sendable {
        let name: String
        let title: String
        let version: VersionMark?
        let family: ServerFamily
        let preflightStatus: HTTPStatus

        init(
            _ name: String, _ title: String, _ version: VersionMark?, _ family: ServerFamily,
            _ preflightStatus: HTTPStatus
        ) {
            self.name = name
            self.title = title
            self.version = version
            self.family = family
            self.preflightStatus = preflightStatus
        }
    }

    /// Its name in the configuration, such as `v2`.
    public var name: String { traits.name }
    /// A description.
    public var title: String { traits.title }
    /// Its `ZUMO-API-VERSION`; nil if its clients don't send that field and are recognized by other marks.
    public var version: VersionMark? { traits.version }
    /// The server family whose failures, keys and addresses its clients expect outside of tables.
    public var family: ServerFamily { traits.family }
    /// The status of an answer to an allowed page's preflight.
    public var preflightStatus: HTTPStatus { traits.preflightStatus }

    /// Creates a generation.
    public init(
        _ name: String, _ title: String, version: VersionMark?, family: ServerFamily, preflightStatus: HTTPStatus
    ) {
        traits = Traits(name, title, version, family, preflightStatus)
    }

    /// The two families of servers, which differ in everything except tables.
    public enum ServerFamily: Sendable {
        /// Azure Mobile Services: application keys, `{code, error}`, logins at `/login`.
        case services
        /// Azure Mobile Apps: `{error, message}`, logins at `/.auth/login`.
        case apps
    }

    /// The values of `ZUMO-API-VERSION` that name a generation.
    public struct VersionMark: Sendable {
        /// The value that its clients send.
        public let text: String
        /// The first number.
        public let major: String
        /// How many numbers a value may have.
        public let counts: ClosedRange<Int>

        /// Creates a description of the values.
        public init(_ text: String, major: String, counts: ClosedRange<Int>) {
            self.text = text
            self.major = major
            self.counts = counts
        }
    }
}

extension Generation {
    /// Azure Mobile Services: system columns as `__version`, application keys, `{code, error}`.
    public static let v1 = Generation(
        "v1", "as Azure Mobile Services (v1)", version: nil, family: .services, preflightStatus: .noContent)
    /// Azure Mobile Apps: `ZUMO-API-VERSION: 2.0.0`, with all three numbers as the Node server required.
    public static let v2 = Generation(
        "v2", "as Azure Mobile Apps (v2)", version: VersionMark("2.0.0", major: "2", counts: 3...3), family: .apps,
        preflightStatus: .ok)
    /// Datasync: `ZUMO-API-VERSION: 3.0.0` or `3.0`, OData 4, `{items, count, nextLink}`.
    public static let v3 = Generation(
        "v3", "as Datasync (v3)", version: VersionMark("3.0.0", major: "3", counts: 2...3), family: .apps,
        preflightStatus: .noContent)

    /// The generations of Azure's servers.
    public static let allCases: [Generation] = [.v1, .v2, .v3]

    /// The name.
    public var rawValue: String { traits.name }

    /// - Returns: nil if the name isn't one of Azure's.
    public init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }
}

extension Generation: Hashable {
    /// Compares by name.
    public static func == (left: Generation, right: Generation) -> Bool {
        left.traits === right.traits || left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
