/// Why the method that a POST names in a header field can't be used.
public enum MethodOverrideFault: Error, Sendable, Equatable {
    /// The method is unknown or can't be used; with the name as received.
    case unknown(String)
    /// Several fields name different methods.
    case ambiguous
    /// A read ignores the body that came with it, which may have been meant to narrow it.
    case readWithBody
}

extension HTTPRequest {
    /// Returns the request with its effective method: clients behind proxies and in browsers that only let GET and POST
    /// through send a POST and name the method in `X-HTTP-Method-Override`, `X-HTTP-Method` or `X-Method-Override`, in
    /// any case.
    ///
    /// Only on a POST, which no link or image can send. A name that can't be honoured is refused: the POST itself would
    /// do something other than what was asked for.
    public func asMeant() throws(MethodOverrideFault) -> HTTPRequest {
        guard method == .post, let name = try overridingName() else { return self }
        var request = self
        switch HTTPMethod(name) {
        case .post: return self
        case .get where body.isEmpty: request.method = .get
        case .get: throw .readWithBody
        case .put: request.method = .put
        case .patch: request.method = .patch
        case .delete: request.method = .delete
        // The answer to a HEAD has no body, and an OPTIONS asks for nothing: neither needs to be disguised.
        case .head, .options, .other: throw .unknown(name)
        }
        return request
    }

    private func overridingName() throws(MethodOverrideFault) -> String? {
        var found: String?
        for field: StaticString in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]
        where fields.contains(field) {
            for value in fields.values(field) where !value.isEmpty {
                let name = value.uppercased()
                guard found == nil || found == name else { throw .ambiguous }
                found = name
            }
        }
        return found
    }
}
