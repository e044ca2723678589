import HTTPModel
import JSONText
import ZumoProtocol

/// The pages that a user's browser shows.
enum LoginPages {
    /// The form for name and password.
    /// - Parameter fault: why the previous attempt failed.
    static func form(action: String, state: String, fault: ErrorResponse? = nil) -> HTTPResponse {
        let complaint = fault.map { "<p role=\"alert\">\(HTMLText.escaped($0.text))</p>\n" } ?? ""
        var response = page(
            fault?.status ?? .ok,
            """
            <form method="post" action="\(HTMLText.escaped(action))">
            \(complaint)<input type="hidden" name="state" value="\(HTMLText.escaped(state))">
            <p><label>User name <input name="username" autocomplete="username" autocapitalize="none" autofocus required>\
            </label></p>
            <p><label>Password <input name="password" type="password" autocomplete="current-password" required>\
            </label></p>
            <p><button>Log in</button> <button name="cancel" value="yes" formnovalidate>Cancel</button></p>
            </form>
            """, referrer: "same-origin")
        note(fault, on: &response)
        return response
    }

    /// The page on which web views end: they read the fragment of its address and close it. A browser explains it.
    static var last: HTTPResponse {
        let nonce = Nonce.make()
        return page(
            .ok,
            """
            <p id="outcome">You can close this window.</p>
            <script nonce="\(nonce)">
            var outcome = document.getElementById("outcome");
            if (location.hash.indexOf("#token=") === 0) outcome.textContent = "You are logged in. You can close this window.";
            if (location.hash.indexOf("#error=") === 0) outcome.textContent = "You are not logged in. Go back to the app.";
            </script>
            """, script: nonce)
    }

    /// What is reported to the page that began a login.
    enum Outcome {
        /// A session, as JSON.
        case session([UInt8])
        /// The reason why there is none.
        case failure(String)

        var member: String {
            switch self {
            case .session(let json): "\"oauth\":\(String(decoding: json, as: UTF8.self))"
            case .failure(let words): "\"error\":\(HTMLText.quoted(words))"
            }
        }

        /// The texts for the user if the page was told, and if it could not be.
        var words: (told: String, untold: String) {
            switch self {
            case .session:
                (
                    "You are logged in. You can close this window.",
                    "The login succeeded, but the page that began it can't be told: it was closed, or the browser has cut "
                        + "this window off from it. Close this window, go back to the app and begin again."
                )
            case .failure(let words):
                (
                    "\(words) You can close this window.",
                    "\(words) Close this window, go back to the app and begin again."
                )
            }
        }
    }

    /// Reports the outcome to the page that opened this one or contains its frame, as the first servers did: as JSON
    /// text, which the first libraries parse, and later ones too if it is text. After a visit to a provider, a page may
    /// have lost its opener (Cross-Origin-Opener-Policy), and says so.
    static func message(_ outcome: Outcome, to recipient: LoginFlow.Recipient, origin: String) -> HTTPResponse {
        let nonce = Nonce.make()
        var response = page(
            .ok, messenger(outcome, recipient, origin, nonce), script: nonce, isFramed: recipient == .frame)
        if recipient == .frame { response.fields.append("Cross-Origin-Resource-Policy", "cross-origin") }
        return response
    }

    /// A page that says why a login failed and how to go on, and tells the app.
    /// - Parameters:
    ///   - back: the address that tells the app; nil if there is none.
    ///   - again: the address at which the login starts again; nil if there is none.
    ///   - message: the recipient of a message.
    static func failure(
        _ fault: ErrorResponse, back: String?, again: String?,
        message: (recipient: LoginFlow.Recipient, origin: String)? = nil
    ) -> HTTPResponse {
        let nonce = message.map { _ in Nonce.make() }
        // The script that sends the message shows the same, and whether the app was told.
        var content = message == nil ? "<p role=\"alert\">\(HTMLText.escaped(fault.text))</p>" : ""
        if let again { content += "\n<p><a href=\"\(HTMLText.escaped(again))\">Begin again</a></p>" }
        if let back {
            // A web view waits for the address, and the user may not press the link.
            content += """
                \n<p><a href="\(HTMLText.escaped(back))">Back to the app</a></p>
                <meta http-equiv="refresh" content="10; url=\(HTMLText.escaped(back))">
                """
        }
        if let message, let nonce {
            content += "\n" + messenger(.failure(fault.text), message.recipient, message.origin, nonce)
        }
        var response = page(fault.status, content, script: nonce, isFramed: message?.recipient == .frame)
        note(fault, on: &response)
        return response
    }

    /// - Parameter words: what the logout has ended.
    static func loggedOut(_ words: String) -> HTTPResponse { page(.ok, "<p>\(HTMLText.escaped(words))</p>") }

    private static func messenger(
        _ outcome: Outcome, _ recipient: LoginFlow.Recipient, _ origin: String, _ nonce: String
    ) -> String {
        let target = recipient == .frame ? "parent" : "opener"
        let text = "{\"type\":\"LoginCompleted\",\(outcome.member)}"
        let words = outcome.words
        return """
            <p id="outcome">\(HTMLText.escaped(words.untold))</p>
            <script nonce="\(nonce)">
            if (window.\(target) && window.\(target) !== window) {
            window.\(target).postMessage(\(script(HTMLText.quoted(text))),\(script(HTMLText.quoted(origin))));
            document.getElementById("outcome").textContent = \(script(HTMLText.quoted(words.told)));
            }
            </script>
            """
    }

    private static func note(_ fault: ErrorResponse?, on response: inout HTTPResponse) {
        guard let fault else { return }
        response.reason = fault.text
        if let seconds = fault.retryAfter { response.fields.append("Retry-After", String(seconds)) }
    }

    private static func page(
        _ status: HTTPStatus, _ content: String, script nonce: String? = nil, isFramed: Bool = false,
        referrer: String = "no-referrer"
    ) -> HTTPResponse {
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
        response.fields.append("Referrer-Policy", referrer)
        let scripts = nonce.map { " script-src 'nonce-\($0)';" } ?? ""
        let frames = isFramed ? "" : " frame-ancestors 'none';"
        response.fields.append("Content-Security-Policy", "default-src 'none'; base-uri 'none';\(scripts)\(frames)")
        return response
    }

    /// Escapes JSON so that nothing in it ends the script that contains it.
    private static func script(_ json: String) -> String {
        json.replacing("<", with: "\\u003c").replacing("\u{2028}", with: "\\u2028").replacing(
            "\u{2029}", with: "\\u2029")
    }
}
