/// The request fields that the server uses, including those of client libraries.
enum KnownFields {
    /// Their names, in lower case.
    static let all = [
        "accept", "accept-language", "authorization", "cache-control", "content-encoding", "content-language",
        "content-type", "idempotency-key", "if-match", "if-modified-since", "if-none-match", "if-unmodified-since",
        "pragma", "prefer",
        "range", "repeatability-first-sent", "repeatability-request-id", "traceparent", "tracestate", "x-http-method",
        "x-http-method-override", "x-method-override", "x-request-id", "x-requested-with", "x-zumo-application",
        "x-zumo-auth", "x-zumo-features", "x-zumo-installation-id", "x-zumo-master", "x-zumo-options", "x-zumo-version",
        "x-zumod-poll", "zumo-api-version",
    ]

    /// Returns the known ones of a list, for a list that is too long or odd to be returned as it is. Each occurs once,
    /// so that the answer is no longer than the known names.
    static func among(_ list: String) -> String {
        let names = list.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        return all.filter { known in names.contains { $0 == known } }.joined(separator: ", ")
    }
}
