import JSONText

/// Texts of HTTP archives as other tools write them.
enum Archive {
    static func text(_ entries: [String]) -> [UInt8] {
        Array("{\"log\":{\"version\":\"1.2\",\"entries\":[\(entries.joined(separator: ","))]}}".utf8)
    }

    /// - Parameters:
    ///   - headers: names and values of the request.
    ///   - request: members of the request, each behind a comma.
    ///   - entry: members of the entry, each behind a comma.
    static func entry(
        _ method: String, _ url: String, headers: [(String, String)] = [], body: String? = nil, status: Int = 200,
        answerHeaders: [(String, String)] = [("Content-Type", "application/json; charset=utf-8")],
        answer: String? = "", request: String = "", entry: String = ""
    ) -> String {
        let postData = body.map { ",\"postData\":{\"mimeType\":\"\",\"text\":\(quoted($0))}" } ?? ""
        let content =
            answer.map { "\"size\":\($0.utf8.count),\"mimeType\":\"\",\"text\":\(quoted($0))" } ?? "\"size\":5"
        return """
            {"request":{"method":\(quoted(method)),"url":\(quoted(url)),\
            "headers":\(list(headers))\(postData)\(request)},\
            "response":{"status":\(status),"headers":\(list(answerHeaders)),"content":{\(content)}}\(entry)}
            """
    }

    private static func list(_ headers: [(String, String)]) -> String {
        "[" + headers.map { "{\"name\":\(quoted($0)),\"value\":\(quoted($1))}" }.joined(separator: ",") + "]"
    }

    static func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
