import Access
import HTTPModel
import JSONText
import Scalars
import ZumoProtocol

/// A request to a login route, with what is needed to answer it.
struct LoginRequest {
    let http: HTTPRequest
    let target: RequestTarget
    let provider: LoginProvider
    let settings: LoginSettings
    /// In milliseconds since 1970.
    let at: Int64
    /// The current time for irreversible decisions; nil if no clock can be trusted.
    let trusted: Instant?

    /// In seconds since 1970.
    var now: Int64 { at / 1_000 }

    /// `/.auth/login` or `/login`, whichever the client used.
    var root: String { target.segments.first?.lowercased() == "login" ? "/login" : "/.auth/login" }

    var publicBase: String { publicAddress.base }

    var publicAddress: PublicAddress {
        PublicAddress(http, publicURL: settings.publicURL, trusting: settings.proxies)
    }

    /// The client's address, as seen through proxies, by which attempts are counted.
    var client: String { ClientAddress.limited(http, trusting: settings.proxies) }

    func queryValue(_ name: String) -> String? {
        target.query.first { $0.name == name }?.value
    }

    /// Whether the body has the type of an HTML form.
    var isForm: Bool {
        (http.fields["Content-Type"] ?? "").lowercased().hasPrefix("application/x-www-form-urlencoded")
    }

    /// Whether a form comes from one of this server's pages, as far as the browser says. A page that hides its origin
    /// (`null`) is recognized only by its cookie and its state.
    var isFromOwnPage: Bool {
        // Current browsers send it, whatever proxies do to scheme and port.
        if let site = http.fields["Sec-Fetch-Site"] { return site == "same-origin" || site == "none" }
        guard let origin = http.fields["Origin"], origin != "null" else { return true }
        guard let own = RedirectURL(publicBase), let page = RedirectURL(origin) else { return false }
        return page.host == own.host
    }

    /// Parses the members of a form.
    func form() throws(LoginFault) -> [QueryMember] {
        guard let form = try? RequestTarget(Array("/?".utf8) + http.body.filter { $0 != UInt8(ascii: "#") }) else {
            throw .bodyUnreadable
        }
        return form.query
    }

    /// Parses the text members of a JSON object.
    func texts() throws(LoginFault) -> [String: String] {
        guard let texts = JSONValue.texts(of: http.body) else { throw .bodyUnreadable }
        return texts
    }
}

extension JSONValue {
    /// Returns the text members of a JSON object; nil if it isn't one.
    static func texts(of json: [UInt8]) -> [String: String]? {
        guard case .object(let members)? = try? JSONReader.parse(json) else { return nil }
        return Dictionary(
            members.compactMap { member in member.value.textValue.map { (member.name, $0) } }, uniquingKeysWith: { $1 })
    }
}
