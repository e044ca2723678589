import Access
import Cryptography
import HTTPModel
import Tables
import ZumoProtocol

extension TableRequest {
    /// By what the store recognizes the request if the client doesn't get its answer and sends it again.
    ///
    /// That takes a client that names its installation, or marks a request as one to be done once, and exactly the same
    /// request. Whether an identical request is a repeat or meant as a new one is decided by the store, which looks at
    /// the row.
    var receipt: WriteReceipt? {
        let mark = http.fields["Repeatability-Request-ID"] ?? http.fields["Idempotency-Key"] ?? ""
        let installation = http.fields["X-ZUMO-INSTALLATION-ID"] ?? ""
        guard settings.repeatWindow > .zero, !mark.isEmpty || !installation.isEmpty else { return nil }
        // Everything but the body is hashed in one piece, which is faster than many small ones.
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
        // Half of the hash is more than enough to distinguish requests.
        let key = Array(Digest.sha256(parts.span, http.body.span).prefix(16))
        return WriteReceipt(
            key: key, isOnce: !mark.isEmpty, window: settings.repeatWindow, isTimed: settings.callers.trusted() != nil)
    }

    private static let conditions: [StaticString] = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]
}

extension Principal {
    /// Keeps the answers of different kinds of callers apart: the master key sees more than an anonymous caller.
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
    /// Appends bytes after their count, so that no two lists of parts look the same.
    fileprivate mutating func add(_ bytes: some Collection<UInt8>) {
        addLength(bytes.count)
        append(contentsOf: bytes)
    }

    fileprivate mutating func addLength(_ count: Int) {
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(count >> shift & 255)) }
    }
}
