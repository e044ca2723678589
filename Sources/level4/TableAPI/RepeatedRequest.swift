import Access
import Cryptography
import HTTPModel
import Tables
import ZumoProtocol

extension TableRequest {
    /// By what the store knows the request again, should the client not get its answer and send it once more.
    ///
    /// Only a client that says which installation it is, or that marks a request as one to be done once, is known again,
    /// and only by the very same request. Whether a request of the same words is a repetition or a new wish is decided
    /// by the store, which looks at the row.
    var receipt: WriteReceipt? {
        let mark = http.fields["Repeatability-Request-ID"] ?? http.fields["Idempotency-Key"] ?? ""
        let installation = http.fields["X-ZUMO-INSTALLATION-ID"] ?? ""
        guard settings.repeatWindow > .zero, !mark.isEmpty || !installation.isEmpty else { return nil }
        // All but the body in one piece, since each that is hashed by itself takes its time.
        var parts: [UInt8] = []
        parts.reserveCapacity(512)
        for text in [
            installation, mark, caller.rank, caller.user?.id ?? "", generation.generation.rawValue, http.method.name,
        ] {
            parts.add(text.utf8)
        }
        parts.add(http.target)
        for name in Self.conditions {
            let values = http.fields.values(name)
            parts.append(UInt8(truncatingIfNeeded: values.count))
            for value in values { parts.add(value.utf8) }
        }
        parts.addLength(http.body.count)
        // Half of the hash is more than enough to tell requests apart.
        let key = Array(Digest.sha256(parts.span, http.body.span).prefix(16))
        return WriteReceipt(
            key: key, isOnce: !mark.isEmpty, window: settings.repeatWindow, isTimed: settings.callers.trusted() != nil)
    }

    private static let conditions: [StaticString] = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]
}

extension Principal {
    /// What keeps the answers of one kind of caller from another: the master key sees what nobody without a token does.
    fileprivate var rank: String {
        switch self {
        case .anonymous: "anonymous"
        case .application: "application"
        case .user: "user"
        case .admin: "admin"
        }
    }
}

extension [UInt8] {
    /// Appends bytes with their number, so that no two lists of parts look the same.
    fileprivate mutating func add(_ bytes: some Collection<UInt8>) {
        addLength(bytes.count)
        append(contentsOf: bytes)
    }

    fileprivate mutating func addLength(_ count: Int) {
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(count >> shift & 255)) }
    }
}
