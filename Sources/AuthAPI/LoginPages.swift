import HTTPModel
import JSONText

/// The pages that a user's browser shows.
enum LoginPages {
    /// The form for name and password.
    /// - Parameter fault: what was wrong with the attempt before.
    static func form(action: String, state: String, fault: String? = nil) -> HTTPResponse {
        let complaint = fault.map { "<p role=\"alert\">\(escaped($0))</p>\n" } ?? ""
        return page(
            fault == nil ? .ok : .unauthorized,
            """
            <form method="post" action="\(escaped(action))">
            \(complaint)<input type="hidden" name="state" value="\(escaped(state))">
            <p><label>User name <input name="username" autocomplete="username" autocapitalize="none" autofocus required>\
            </label></p>
            <p><label>Password <input name="password" type="password" autocomplete="current-password" required>\
            </label></p>
            <p><button>Log in</button></p>
            </form>
            """)
    }

    /// The page on which web views end: they read the fragment of its address and close it.
    static let last = page(.ok, "<p>You are logged in. You can close this window.</p>")

    static let loggedOut = page(.ok, "<p>You are logged out.</p>")

    /// Tells the outcome to the page that opened this one or holds its frame, as the first servers did: in JSON text, which
    /// the first libraries parse and the later ones parse too where it is text.
    static func message(_ session: [UInt8], to recipient: LoginFlow.Recipient, origin: String) -> HTTPResponse {
        let target = recipient == .frame ? "parent" : "opener"
        let nonce = Nonce.make()
        let text = "{\"type\":\"LoginCompleted\",\"oauth\":\(String(decoding: session, as: UTF8.self))}"
        var response = page(
            .ok,
            """
            <p>You are logged in. You can close this window.</p>
            <script nonce="\(nonce)">
            window.\(target).postMessage(\(script(quoted(text))),\(script(quoted(origin))));
            </script>
            """, script: nonce)
        if recipient == .frame { response.fields.append("Cross-Origin-Resource-Policy", "cross-origin") }
        return response
    }

    private static func page(_ status: HTTPStatus, _ content: String, script nonce: String? = nil) -> HTTPResponse {
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Log in</title>
            \(content)
            </html>

            """
        var response = HTTPResponse(status, body: Array(text.utf8))
        response.fields.append("Content-Type", "text/html; charset=utf-8")
        response.fields.append("Cache-Control", "no-store")
        response.fields.append("Referrer-Policy", "no-referrer")
        let scripts = nonce.map { " script-src 'nonce-\($0)';" } ?? " frame-ancestors 'none';"
        response.fields.append("Content-Security-Policy", "default-src 'none'; base-uri 'none';\(scripts)")
        return response
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    private static func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// JSON as a script may hold it: nothing in it ends the script.
    private static func script(_ json: String) -> String {
        json.replacing("<", with: "\\u003c").replacing("\u{2028}", with: "\\u2028").replacing(
            "\u{2029}", with: "\\u2029")
    }
}
