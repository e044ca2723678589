import Access
import Foundation
import JSONText
import Testing
import TokenTesting
import WireTesting

/// A browser as far as logins see one: it keeps cookies, and fills in the form of a page.
struct LoginBrowser {
    let client: WireClient
    /// What it sends of its cookies, each as `name=value`.
    private(set) var cookies: [String] = []
    /// The fields that a browser adds by itself, for the page that it is at.
    var fields: [String] = []

    init(_ client: WireClient) {
        self.client = client
    }

    mutating func open(_ target: String) throws -> WireResponse {
        keep(try client.exchange("GET", target, "", sent))
    }

    mutating func submit(_ members: [(String, String)], to path: String) throws -> WireResponse {
        let form = "Content-Type: application/x-www-form-urlencoded"
        return keep(try client.exchange("POST", path, Self.form(members), sent + [form]))
    }

    /// Opens a page of `local`, and logs in there.
    mutating func logIn(
        _ target: String, _ name: String = "ann", password: String = LoginBrowser.password
    ) throws -> WireResponse {
        let page = try open(target)
        let state = try #require(Self.state(in: page))
        return try submit(
            [("state", state), ("username", name), ("password", password)],
            to: target.components(separatedBy: "?")[0])
    }

    private var sent: [String] { fields + (cookies.isEmpty ? [] : ["Cookie: \(cookies.joined(separator: "; "))"]) }

    private mutating func keep(_ response: WireResponse) -> WireResponse {
        for field in response.fields where field.name.lowercased() == "set-cookie" {
            let pair = String(field.value.prefix { $0 != ";" })
            let name = pair.prefix { $0 != "=" } + "="
            cookies.removeAll { $0.hasPrefix(name) }
            if !field.value.contains("Max-Age=0") { cookies.append(pair) }
        }
        return response
    }

    static func form(_ members: [(String, String)]) -> String {
        members.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The sealed state in a page's form.
    static func state(in page: WireResponse) -> String? {
        let parts = page.text.components(separatedBy: "name=\"state\" value=\"")
        return parts.count > 1 ? String(parts[1].prefix { $0 != "\"" }) : nil
    }

    /// A member of the address that a response sends to.
    static func member(_ name: String, of response: WireResponse) -> String? {
        response["Location"].flatMap { URLComponents(string: $0) }?.queryItems?.first { $0.name == name }?.value
    }

    static let password = "correct horse"
    /// Of that password, by a scrypt that costs nothing.
    static let hash = "scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$PQkVTyyHF9mCETQ-ge6tRpm4yd-InBk92ykpHodz_ds"
    static let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
}
