import JSONText
import Testing
import WireTesting

extension WireResponse {
    /// The rows of a JSON array.
    var list: [Row] {
        get throws { try #require(try JSONReader.parse(body).elements).map(\.row) }
    }
}

/// Somebody at the data page, as its script asks.
struct PageVisit {
    let client: WireClient
    var cookie = ""
    var token = ""

    init(_ port: UInt16) throws {
        client = try WireClient(port: port)
    }

    /// Signs in with the master key, by default that of `UserTokens.line`.
    static func signedIn(_ port: UInt16, key: String = "master") throws -> PageVisit {
        var visit = try PageVisit(port)
        let response = try visit.signIn(#"{"key":"\#(key)"}"#)
        #expect(response.code == 200, "\(response.text)")
        return visit
    }

    @discardableResult
    mutating func signIn(_ body: String, _ fields: [String] = []) throws -> WireResponse {
        let fields =
            fields.contains { $0.hasPrefix("Content-Type") } ? fields : fields + ["Content-Type: application/json"]
        let response = try client.exchange("POST", "/_/api/session", body, fields)
        if let given = response["Set-Cookie"] { cookie = String(given.prefix { $0 != ";" }) }
        if response.code == 200 { token = try response.row["csrf"]?.text ?? "" }
        return response
    }

    /// Asks the page's own API.
    func ask(
        _ method: String, _ path: String, _ body: String = "", _ fields: [String] = []
    ) throws -> WireResponse {
        var all = cookie.isEmpty ? fields : ["Cookie: \(cookie)"] + fields
        if method != "GET", !token.isEmpty { all.append("X-CSRF-Token: \(token)") }
        if !body.isEmpty { all.append("Content-Type: application/json") }
        return try client.exchange(method, "/_/\(path)", body, all)
    }
}
