import HTTPModel
import JSONText
import RouteDescription
public import ZumoProtocol

extension PushRouter {
    /// Adds the routes for push registrations as clients of the document's generation use them.
    public func describe(in document: inout OpenAPIDocument) {
        var routes = document.generation.family == .services ? Self.registrations : Self.installations
        for index in routes.indices {
            routes[index].parameters.insert(document.generation.mark, at: 0)
            routes[index].answers.append(.failure(.unauthorized, "A token was sent that is not valid."))
        }
        document.routes += routes
    }

    private static let tag = "push"
    private static let id = DescribedParameter("id", in: .path, "The client's installation, or its registration.")
    private static let body = DescribedContent(["type": "object"])
    private static let done = ResponseDescription(.noContent, "It is done.")

    private static let installations = [
        DescribedRoute(
            .put, "/push/installations/{id}", id: "push_register", tag: tag, "Registers an installation",
            parameters: [id], body: [body], answers: [done]),
        DescribedRoute(
            .delete, "/push/installations/{id}", id: "push_unregister", tag: tag, "Forgets an installation",
            parameters: [id], answers: [done]),
    ]

    private static let registrations = [
        DescribedRoute(
            .post, "/push/registrationids", id: "push_new", tag: tag, "Makes a place for a registration",
            answers: [
                ResponseDescription(
                    .created, "It is made.", fields: [DescribedField("Location", "Its address.").certain])
            ]),
        DescribedRoute(
            .get, "/push/registrations", id: "push_list", tag: tag, "What is registered for a device",
            parameters: [
                DescribedParameter("deviceId", in: .query, "The device.").required,
                DescribedParameter("platform", in: .query, "Its platform."),
            ],
            answers: [
                ResponseDescription(
                    .ok, "The registrations.", DescribedContent(["type": "array", "items": ["type": "object"]])),
                .failure(.badRequest, "The query has no deviceId."),
            ]),
        DescribedRoute(
            .put, "/push/registrations/{id}", id: "push_register", tag: tag, "Sets a registration",
            parameters: [id], body: [body],
            answers: [done, .failure(.gone, "The registration is gone; make a new one.")]),
        DescribedRoute(
            .delete, "/push/registrations/{id}", id: "push_unregister", tag: tag, "Forgets a registration",
            parameters: [id], answers: [ResponseDescription(.ok, "It is forgotten.")]),
    ]
}
