/// Plays a golden case against a server.
public struct GoldenRun {
    /// Sends each request of the case on one connection and matches the answers.
    /// - Returns: nil where all is as expected, else both texts of the first exchange that is not.
    public static func play(_ golden: GoldenCase, port: UInt16) throws(WireClient.Failure) -> String? {
        try play(golden, ports: [port])
    }

    /// The same with the requests dealt out to servers of one database, as a balancer does, under the first's name.
    public static func play(_ golden: GoldenCase, ports: [UInt16]) throws(WireClient.Failure) -> String? {
        var clients: [WireClient] = []
        for port in ports { clients.append(try WireClient(port: port)) }
        let host = "127.0.0.1:\(ports[0])"
        var bound = Placeholders(host: host)
        for (number, exchange) in golden.exchanges.enumerated() {
            let client = clients[number % clients.count]
            try client.send(exchange.request(bound, host: host))
            let response = try client.response(hasBody: !exchange.requestLine.hasPrefix("HEAD "))
            if let difference = difference(response, exchange, &bound) {
                return "\(golden.name): \(exchange.requestLine)\n\(difference)"
            }
        }
        return nil
    }

    /// The fields that every answer has.
    private static let universal: Set<String> = [
        "content-length", "date", "x-content-type-options", "x-request-id", "x-zumo-server-version",
    ]

    /// What caches are told: every answer has one of the first, which the tests of origins look at, and every failure has
    /// the last.
    private static func isCacheMark(_ field: (name: String, value: String), of response: WireResponse) -> Bool {
        field == ("Vary", "Origin, Accept-Encoding") || field == ("Vary", "Accept-Encoding")
            || response.code >= 400 && field == ("Cache-Control", "no-cache, no-store")
    }

    private static func difference(
        _ response: WireResponse, _ exchange: GoldenExchange, _ bound: inout Placeholders
    ) -> String? {
        switch exchange.expectation {
        case .status(let code):
            return response.status.hasPrefix(code) ? nil : "expected \(code), got:\n\(text(of: response))"
        case .exact(let status, let fields, let body):
            let isHead = exchange.requestLine.hasPrefix("HEAD ")
            let hasLength = length(of: response) != nil
            let missing = universal.filter { response[$0] == nil && (hasLength || $0 != "content-length") }
            let listed = response.fields.filter {
                !universal.contains($0.name.lowercased()) && !isCacheMark($0, of: response)
            }
            .map { "\($0.name): \($0.value)" }
            let matches =
                response.status == status && missing.isEmpty && listed.count == fields.count
                && zip(listed, fields).allSatisfy { bound.match($0, with: $1) }
                && bound.match(response.textWithoutCode, with: body)
                && response.hasCodeWhereItFails
                && (response.code < 400 || response["Cache-Control"] != nil)
                && (isHead || response["Content-Length"] == length(of: response))
            if matches { return nil }
            let expected = ([status] + fields).joined(separator: "\n") + "\n\n" + body
            return "expected:\n\(bound.replaced(in: expected))\ngot:\n\(text(of: response))"
                + (missing.isEmpty ? "" : "\nwithout \(missing.sorted())")
        }
    }

    /// RFC 9110 section 8.6: a 204 has no Content-Length, and a 304 could have another row's only.
    private static func length(of response: WireResponse) -> String? {
        response.code == 204 || response.code == 304 ? nil : String(response.body.count)
    }

    private static func text(of response: WireResponse) -> String {
        let fields = response.fields.map { "\($0.name): \($0.value)" }
        return ([response.status] + fields).joined(separator: "\n") + "\n\n" + response.text
    }
}
