import HTTPModel

extension HTTPResponse {
    /// JSON that the page's script asked for.
    static func page(_ json: [UInt8], _ status: HTTPStatus = .ok) -> HTTPResponse {
        var response = HTTPResponse(status, body: json)
        response.fields.append("Content-Type", "application/json; charset=utf-8")
        return response
    }
}
