package import HTTPModel
import Platform
import ZumoProtocol

/// Gives each request an id, finds the route that answers it, and tells the observers how it was answered.
package final class RootHandler: HTTPHandler {
    private let routes: [any Route]
    private let observers: ObserverChain?
    private let probes: Set<String>
    private let crossOrigin: CrossOriginPolicy
    private let addressLimit: RateLimit?
    private let proxies: TrustedProxies
    private let generations: Generations
    private let ids: RequestIDs
    /// Whether routes are told the request's id, as those with scripts are.
    private let tellsIDs: Bool
    private let universal: CommonResponseFields

    /// - Parameters:
    ///   - routes: the routes, in the order in which they are asked.
    ///   - generation: the generation of requests that don't state theirs.
    ///   - proxies: the proxies whose statements about the client's address are trusted.
    ///   - crossOrigin: which web pages may call the server.
    ///   - addressLimit: the rate limit per address; nil for none.
    ///   - ids: creates the ids of requests.
    ///   - tellsIDs: whether requests are passed on with their ids.
    ///   - observers: told about requests.
    init(
        _ routes: [any Route], generations: Generations, proxies: TrustedProxies,
        crossOrigin: CrossOriginPolicy = CrossOriginPolicy([], maxAge: 0), addressLimit: RateLimit? = nil,
        ids: RequestIDs = RequestIDs(), tellsIDs: Bool = false, telling observers: [any RequestObserver]
    ) {
        self.tellsIDs = tellsIDs
        self.routes = routes
        self.generations = generations
        self.proxies = proxies
        self.crossOrigin = crossOrigin
        self.addressLimit = addressLimit
        self.ids = ids
        self.observers = ObserverChain(observers[...])
        probes = Set(routes.flatMap(\.probes))
        universal = CommonResponseFields(varying: crossOrigin.variance)
    }

    package func respond(to sent: HTTPRequest) async -> HTTPResponse {
        let start = Clocks.exact
        let id = ids.id(of: sent)
        var (request, fault) = (sent, MethodOverrideFault?.none)
        do throws(MethodOverrideFault) {
            request = try sent.asMeant()
        } catch {
            fault = error
        }
        let asked = Asked(request: request, fault: fault, id: id, start: start)
        guard let field = sent.fields["traceparent"], let trace = TraceParent(field) else {
            return await respond(to: asked)
        }
        return await TraceParent.$current.withValue(trace) { await respond(to: asked) }
    }

    private struct Asked {
        /// With the method that it stands for.
        let request: HTTPRequest
        let fault: MethodOverrideFault?
        let id: String
        let start: UInt64
    }

    // Inlined, as each async function costs some hundred instructions.
    @inline(__always)
    private func respond(to asked: Asked) async -> HTTPResponse {
        let (request, id) = (asked.request, asked.id)
        observers?.begin(id: id, request)
        var (answer, group, isProbe) = await answer(
            to: tellsIDs ? Self.named(request, id) : request, fault: asked.fault)
        crossOrigin.sign(&answer.response, to: request.fields, isOptions: request.method == .options)
        universal.sign(&answer.response, id: id)
        isProbe = isProbe || answer.isPoll
        let event = RequestEvent(
            id: id, request: request, answer: answer, group: group, isProbe: isProbe,
            nanoseconds: Clocks.nanoseconds(since: asked.start))
        observers?.end(event)
        return event.isLarge ? watched(event) : event.answer.response
    }

    /// Returns the answer, set up to tell the observers whether all of it was sent.
    private func watched(_ event: RequestEvent) -> HTTPResponse {
        var response = event.answer.response
        let event = event.withoutBodies()
        response.delivery = ResponseDelivery { [observers, trace = TraceParent.current] end in
            TraceParent.$current.withValue(trace) { observers?.didDeliver(event, end) }
        }
        return response
    }

    private static func named(_ request: HTTPRequest, _ id: String) -> HTTPRequest {
        var request = request
        request.fields.removeAll("X-Request-Id")
        request.fields.append("X-Request-Id", id)
        return request
    }

    package func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
        let target = (try? RequestTarget(request.target)) ?? .root
        let generation = generation(of: request, target)
        // A page's preflight is answered, so that the actual request gets a refusal that the page can read.
        if fault.leavesRequest, let preflight = crossOrigin.preflight(request, in: generation) {
            return signed(preflight, to: request)
        }
        return signed(FaultResponse.make(fault, in: generation), to: request)
    }

    /// Returns an answer that no route made, with the common fields, and reports it to the observers.
    package func signed(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        let id = ids.id(of: request)
        var answer = RouteResponse(response)
        crossOrigin.sign(&answer.response, to: request.fields, isOptions: request.method == .options)
        universal.sign(&answer.response, id: id)
        observers?.end(
            RequestEvent(id: id, request: request, answer: answer, group: .unread, isProbe: false, nanoseconds: 0))
        return answer.response
    }

    package func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error) {
        let id = answer.fields["X-Request-Id"] ?? ""
        observers?.didBreakOff(id: id, request, because: error)
    }

    @inline(__always)
    private func answer(
        to request: HTTPRequest, fault: MethodOverrideFault?
    ) async -> (RouteResponse, RouteGroup, isProbe: Bool) {
        let target: RequestTarget
        do throws(RequestTarget.Fault) {
            target = try RequestTarget(request.target)
        } catch {
            return (RouteResponse(FaultResponse.make(error, in: generation(of: request, .root))), .other, false)
        }
        if request.method == .options,
            let preflight = crossOrigin.preflight(request, in: generation(of: request, target))
        {
            // Not counted against a limit: it costs nothing, and a page could not read a refusal.
            return (RouteResponse(preflight), .other, false)
        }
        let isProbe = isProbe(request, target)
        if !isProbe, let refusal = refusalByAddress(request, target) { return (refusal, .other, false) }
        if let fault {
            return (RouteResponse(FaultResponse.make(fault, in: generation(of: request, target))), .other, isProbe)
        }
        for route in routes {
            if let answer = await route.answer(request, at: target) { return (answer, route.group, isProbe) }
        }
        return (RouteResponse(ErrorBody.unknownPath(in: generation(of: request, target))), .other, isProbe)
    }

    /// Whether it is a health check of a load balancer, which is neither limited nor logged.
    private func isProbe(_ request: HTTPRequest, _ target: RequestTarget) -> Bool {
        target.segments.isEmpty
            ? request.method == .options : target.segments.count == 1 && probes.contains(target.segments[0])
    }

    private func refusalByAddress(_ request: HTTPRequest, _ target: RequestTarget) -> RouteResponse? {
        guard let addressLimit,
            let seconds = addressLimit.spreadWait(for: ClientAddress.limited(request, trusting: proxies))
        else { return nil }
        // The body is no longer needed.
        var head = request
        head.body = []
        let failure = ErrorResponse(tooOften: "limits.addressRequestsPerMinute", seconds: seconds)
        return RouteResponse(failure, in: generation(of: head, target))
    }

    /// Returns the generation of a request that no route answers.
    private func generation(of request: HTTPRequest, _ target: RequestTarget) -> Generation {
        generations.assumed(for: request, target)
    }
}
