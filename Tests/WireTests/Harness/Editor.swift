import Testing
import WireTesting

/// Changes the rows of `todo` while clients pull them, and tells what they have to end with.
struct Editor {
    private let client: WireClient
    private let name: String

    /// - Parameter name: sets the ids of its rows apart from those of other editors.
    init(port: UInt16, name: String = "row") throws {
        client = try WireClient(port: port)
        self.name = name
    }

    func insert(_ number: Int) throws {
        let body = #"{"id":"\#(name)-\#(number)","text":"first","complete":false}"#
        try #require(try client.exchange("POST", "/tables/todo", body).code == 201)
    }

    /// Writes over a row, whoever's it is.
    func touch(_ id: String, _ text: String) throws {
        let code = try client.exchange("PATCH", "/tables/todo/\(id)", "{\"text\":\"\(text)\"}").code
        try #require(code == 200 || code == 404)
    }

    func delete(_ id: String) throws {
        let code = try client.exchange("DELETE", "/tables/todo/\(id)").code
        try #require(code == 200 || code == 404)
    }

    /// Inserts, changes, deletes and restores a row each; there must be ten to begin with.
    func edit(step: Int) throws {
        try insert(100 + step)
        try touch("\(name)-\(step % 10)", "edited \(step)")
        try delete("\(name)-\((step + 3) % 10)")
        try #require(try client.exchange("POST", "/tables/todo/\(name)-\((step + 1) % 10)").code == 201)
    }
}
