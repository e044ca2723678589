import ByteText
import HTTPModel
import JSONText
import TableOperations

/// The APIs that the suites' push tests call. Nothing is ever sent.
enum PushAPIs {
    /// Accepts a message for a device as if it were sent.
    static func defineSending(_ api: inout APIDefinition) {
        api.post { request in
            let message = try request.json()
            guard message["method"] == "send" else {
                throw Refusal(.badRequest, "The request needs the member 'method', which has to be 'send'.")
            }
            for name in ["payload", "token"] where isMissing(message[name]) {
                throw Refusal(.badRequest, "The request needs the member '\(name)'.")
            }
            if let type = message["type"], !["template", "gcm", "apns", "wns"].contains(type) {
                throw Refusal(.badRequest, "The member 'type' has to be template, gcm, apns or wns.")
            }
            return .json(["id": 1, "status": "Push sent"])
        }
    }

    private static func isMissing(_ value: JSONValue?) -> Bool {
        value == nil || value == .null || value == ""
    }

    /// Adds the check that the caller's installation is registered as the query says.
    static func defineRegistered(_ api: inout APIDefinition, _ registry: PushRegistry) {
        api.get { request in
            guard let installation = registry.installation(try installationID(of: request)) else {
                return .json(.boolean(false))
            }
            let channel = request.parameter("channelUri")
            var isAsExpected = channel == nil || installation.channel.isExactly(channel)
            for name in ["templates", "secondaryTiles"] {
                guard let expected = try json(name, in: request) else { continue }
                let found = installation.body[name]?.sorted ?? .null
                isAsExpected = isAsExpected && found == expected
            }
            return .json(.boolean(isAsExpected))
        }
    }

    /// Adds the check that the caller's installation is not registered.
    static func defineUnregistered(_ api: inout APIDefinition, _ registry: PushRegistry) {
        api.get { request in
            .json(.boolean(registry.installation(try installationID(of: request)) == nil))
        }
    }

    /// Adds the deletion of the caller's installation and of all registrations for the channel.
    static func defineDeletion(_ api: inout APIDefinition, _ registry: PushRegistry) {
        api.delete { request in
            if let id = request.fields["X-ZUMO-INSTALLATION-ID"] { registry.removeInstallation(id) }
            if let channel = request.parameter("channelUri") { registry.removeAll(ofChannel: channel) }
            return .json([:])
        }
    }

    private static func installationID(of request: APIRequest) throws(Refusal) -> String {
        guard let id = request.fields["X-ZUMO-INSTALLATION-ID"], !id.isEmpty else {
            throw Refusal(.badRequest, "The request has no X-ZUMO-INSTALLATION-ID.")
        }
        return id
    }

    private static func json(_ name: String, in request: APIRequest) throws(Refusal) -> JSONValue? {
        guard let text = request.parameter(name), !text.isEmpty else { return nil }
        guard let value = try? JSONReader.parse(Array(text.utf8)) else {
            throw Refusal(.badRequest, "'\(name)' is not JSON.")
        }
        return value.sorted
    }
}

extension JSONValue {
    /// The value with the members of its objects sorted by name, since their order doesn't matter.
    fileprivate var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.map { JSONMember($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        default: self
        }
    }
}
