/// What is wrong with a certificate, its key, or a connection.
public enum TLSFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no certificate, or one in the chain can't be parsed; with OpenSSL's reason.
    case certificate(String)
    /// A certificate is too weak, or of an unknown kind; with OpenSSL's reason.
    case unusableCertificate(String)
    /// There is no private key, or it can't be parsed; with OpenSSL's reason.
    case key(String)
    /// The key is encrypted with a password.
    case keyWithPassword
    /// The key belongs to another certificate.
    case otherKey
    /// The peer speaks plain HTTP.
    case plainHTTP
    /// The peer has sent more handshake messages than any client has reason to.
    case flood
    /// The peer broke the protocol, or has no version or cipher in common; with OpenSSL's reason.
    case protocolError(String)

    /// A few words for the operator.
    public var description: String {
        switch self {
        case .certificate(let reason): "holds no certificate that can be read (PEM is expected): \(reason)"
        case .unusableCertificate(let reason): "holds a certificate that can't be used: \(reason)"
        case .key(let reason): "holds no private key that can be read (PEM is expected): \(reason)"
        case .keyWithPassword: "holds a key that is encrypted with a password; the server needs it without one"
        case .otherKey: "holds a key that does not belong to the certificate"
        case .plainHTTP: "the client speaks plain HTTP"
        case .flood: "the client has sent too many messages of handshakes"
        case .protocolError(let reason): reason
        }
    }
}
