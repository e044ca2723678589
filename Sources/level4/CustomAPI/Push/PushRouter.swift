public import HTTPModel
import JSONText
public import ZumoProtocol

/// Answers requests below `/push`: `installations/ID` (v2), `registrationids` and `registrations` (v1).
public struct PushRouter: Route {
    private let registry: PushRegistry
    private let callers: Callers
    private let generations: Generations
    private let publicURL: String?
    private let proxies: TrustedProxies

    /// Creates a router.
    /// - Parameters:
    ///   - generations: the generations that requests may use.
    ///   - publicURL: the base of Location fields, without a trailing slash; nil to take it from each request.
    ///   - proxies: the proxies whose statements about the address are trusted.
    public init(
        _ registry: PushRegistry, callers: Callers, generations: Generations, publicURL: String?,
        proxies: TrustedProxies
    ) {
        self.registry = registry
        self.callers = callers
        self.generations = generations
        self.publicURL = publicURL
        self.proxies = proxies
    }

    /// Its requests are counted separately.
    public var group: RouteGroup { .push }

    /// Answers a request whose path begins with `push`, in any case.
    public func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse? {
        guard target.segments.first?.lowercased() == "push" else { return nil }
        let generation = generations.assumed(for: request, target)
        var requestCaller = RequestCaller(generation)
        do throws(CallerFault) {
            requestCaller.know(try await callers.countedPrincipal(of: request, in: generation))
        } catch {
            var failure = ErrorResponse(error)
            if generation.family == .services, failure.status == .unauthorized { failure.text = "Unauthorized" }
            return RouteResponse(failure, in: generation, to: requestCaller)
        }
        return RouteResponse(
            response(to: request, target, generation) ?? ErrorBody.unknownPath(in: generation), to: requestCaller)
    }

    private func response(
        to request: HTTPRequest, _ target: RequestTarget, _ generation: Generation
    ) -> HTTPResponse? {
        let path = target.segments.dropFirst().map { $0 }
        switch (path.first?.lowercased(), path.count) {
        case ("installations", 2): return installation(request, path[1])
        case ("registrationids", 1): return request.method == .post ? newRegistration(request) : nil
        case ("registrations", 1): return request.method == .get ? registrations(target, generation) : nil
        case ("registrations", 2): return registration(request, path[1], generation)
        default: return nil
        }
    }

    private func installation(_ request: HTTPRequest, _ id: String) -> HTTPResponse? {
        switch request.method {
        case .put: registry.setInstallation(id, request.body)
        case .delete: registry.removeInstallation(id)
        default: return nil
        }
        return HTTPResponse(.noContent)
    }

    private func newRegistration(_ request: HTTPRequest) -> HTTPResponse {
        let base = PublicAddress(request, publicURL: publicURL, trusting: proxies).base
        var fields = HTTPFields()
        fields.append("Location", "\(base)/push/registrations/\(registry.newRegistration())")
        return HTTPResponse(.created, fields: fields)
    }

    /// A registration that no longer exists gets a 410, after which clients create a new one.
    private func registration(_ request: HTTPRequest, _ id: String, _ generation: Generation) -> HTTPResponse? {
        switch request.method {
        case .put:
            guard registry.setRegistration(id, request.body) else {
                return ErrorBody.response(
                    .gone, .registrationGone, "The registration is gone; make a new one.", in: generation)
            }
            return HTTPResponse(.noContent)
        case .delete:
            registry.removeRegistration(id)
            return HTTPResponse(.ok)
        default:
            return nil
        }
    }

    private func registrations(_ target: RequestTarget, _ generation: Generation) -> HTTPResponse {
        func parameter(_ name: String) -> String? {
            target.query.first { $0.name.lowercased() == name }?.value
        }
        guard let device = parameter("deviceid") else {
            return ErrorBody.response(.badRequest, .queryInvalid, "The query needs deviceId.", in: generation)
        }
        let found = registry.registrations(ofDevice: device, platform: parameter("platform")).map { entry in
            guard case .object(let members) = entry.body else { return entry.body }
            let own = members.filter { $0.name != "registrationId" }
            return JSONValue.object([JSONMember("registrationId", .string(entry.id))] + own)
        }
        return .json(JSONValue.array(found).jsonBytes)
    }
}
