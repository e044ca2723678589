/// Why hashes, seals and signatures can't be used.
public enum CryptographyFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// OpenSSL has no provider for these algorithms.
    case missing([String])

    /// A description for the operator.
    public var description: String {
        switch self {
        case .missing(let names):
            "OpenSSL has no \(names.joined(separator: ", ")): its default provider has to be active, by openssl.cnf or by the "
                + "file that OPENSSL_CONF names"
        }
    }
}
