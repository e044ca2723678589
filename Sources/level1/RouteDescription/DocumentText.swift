import HTTPModel
package import JSONText

/// The text of an OpenAPI 3.1 document.
package enum DocumentText {
    /// - Parameters:
    ///   - title: the server's name and protocol.
    ///   - description: what applies to all routes.
    ///   - version: the server's version.
    ///   - url: the URL at which clients reach the server.
    ///   - routes: the routes in the order of the document.
    ///   - schemas: the shared schemas, by name.
    package static func json(
        title: String, description: String, version: String, url: String, routes: [DescribedRoute],
        schemas: [JSONMember]
    ) -> [UInt8] {
        var components = DocumentComponents(schemas: schemas)
        let paths = paths(of: routes, &components)
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": .string(title), "version": .string(version),
                "description": .string(description),
            ],
            "servers": [["url": .string(url)]],
            "tags": .array(tags(of: routes).map { ["name": .string($0)] }),
            "paths": .object(paths),
            "components": components.json,
        ]
        return document.jsonBytes
    }

    private static func tags(of routes: [DescribedRoute]) -> [String] {
        var tags: [String] = []
        for route in routes where !tags.contains(route.tag) { tags.append(route.tag) }
        return tags
    }

    private static func paths(
        of routes: [DescribedRoute], _ components: inout DocumentComponents
    ) -> [JSONMember] {
        var paths: [String] = []
        var routesOfPath: [String: [DescribedRoute]] = [:]
        for route in routes {
            if routesOfPath[route.path] == nil { paths.append(route.path) }
            routesOfPath[route.path, default: []].append(route)
        }
        return paths.map { path in
            JSONMember(
                path,
                .object(
                    (routesOfPath[path] ?? []).map { JSONMember($0.method.name.lowercased(), $0.json(&components)) }))
        }
    }
}
