/// What is wrong with a certificate, its key, or a conversation.
public enum TLSFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no certificate, or one of the chain can't be read; the reason is OpenSSL's.
    case certificate(String)
    /// It can be read, but is too weak, or of a kind that isn't known; the reason is OpenSSL's.
    case unusableCertificate(String)
    /// There is no private key, or it can't be read; the reason is OpenSSL's.
    case key(String)
    /// The key is one that asks for a password.
    case keyWithPassword
    /// The key belongs to another certificate.
    case otherKey
    /// The other side speaks plain HTTP.
    case plainHTTP
    /// The other side has shaken hands more often than any client has reason to.
    case flood
    /// The conversation broke the protocol, or found no common ground; the reason is OpenSSL's.
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
