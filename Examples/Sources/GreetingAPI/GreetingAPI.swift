import ZumodServer

/// `GET /api/greeting?name=Ada` greets; `POST /api/completeAll` completes the caller's open items.
public func greetingExtensions() -> Extensions {
    var extensions = Extensions()

    extensions.api("greeting") { api in
        api.get { request in
            .json(["message": "Hello, \(request.parameter("name") ?? "world")!"])
        }
    }

    extensions.api("completeAll") { api in
        api.post(access: .authenticated) { request in
            let items = try request.tables["TodoItem"]
            let open = try await items.list(where: "complete eq \(false)")
            for item in open {
                if let id = item.id { try await items.update(id, set: ["complete": true]) }
            }
            return .json(["completed": .integer(Int64(open.count))])
        }
    }

    return extensions
}
