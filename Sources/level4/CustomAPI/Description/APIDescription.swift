import Access
import HTTPModel
import JSONText
import RouteDescription
public import ZumoProtocol

extension APIRouter {
    /// Adds the APIs, of which only names, verbs and access levels are known: the rest is in their code.
    public func describe(in document: inout OpenAPIDocument) {
        for api in apis.values.sorted(by: { $0.name < $1.name }) {
            for verb in APIVerb.allCases where api.handler(of: verb) != nil {
                let admission = Admission(nobody: callers.authenticator.nobody(in: document.generation)) {
                    api.level(of: verb).decision(for: $0)
                }
                guard let admission else { continue }
                var route = DescribedRoute(
                    HTTPMethod(verb.rawValue.uppercased()), "/api/\(api.name)", id: "api_\(verb.rawValue)_\(api.name)",
                    tag: "api", "Calls \(api.name)")
                route.admission = admission
                route.parameters = [document.generation.mark]
                if [.post, .put, .patch].contains(verb) {
                    route.body = [DescribedContent([:])]
                    route.isBodyOptional = true
                }
                let generation = document.generation
                route.answers = [
                    ErrorResponse(.unauthorized, of: api.name, in: generation).description(in: generation),
                    ResponseDescription(nil, "What the API says.", DescribedContent([:], as: "*/*")),
                ]
                document.routes.append(route)
            }
        }
    }
}
