import ZumodServer

/// Items have a text and an owner, and only their owner changes them.
public func ownedItemExtensions() -> Extensions {
    var extensions = Extensions()

    extensions.table("TodoItem") { table in
        table.beforeInsert { change in
            guard let user = change.caller.user else { throw Refusal(.unauthorized, "Log in to add an item.") }
            guard let text = change.values["text"]?.textValue, !text.isEmpty else {
                throw Refusal(.badRequest, "An item needs a text.")
            }
            change.values["owner"] = .text(user.id)
        }
        table.beforeUpdate { change in
            try await checkOwner(of: change)
            change.values["owner"] = nil
        }
        table.beforeDelete { change in
            try await checkOwner(of: change)
        }
        table.afterInsert { written in
            try await written.tables["Activity"].insert(["what": "added", "item": written.row["text"] ?? .null])
        }
    }

    return extensions
}

private func checkOwner(of change: TableChange) async throws {
    guard let id = change.id, let item = try await change.tables[change.table].find(id) else { return }
    guard let user = change.caller.user, item["owner"] == .text(user.id) else {
        throw Refusal(.forbidden, "The item belongs to somebody else.")
    }
}
