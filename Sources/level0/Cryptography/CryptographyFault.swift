/// Why hashes, seals and signatures can't be made or checked.
public enum CryptographyFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// OpenSSL has no provider of these algorithms.
    case missing([String])

    /// For the operator.
    public var description: String {
        switch self {
        case .missing(let names):
            "OpenSSL has no \(names.joined(separator: ", ")): its default provider has to be active, by openssl.cnf or by the "
                + "file that OPENSSL_CONF names"
        }
    }
}
