internal import COpenSSL

/// A server's identity: a certificate with its chain, and its private key.
///
/// Sendable unchecked: the context is never changed after `init`, and OpenSSL itself counts and locks what sessions on
/// several threads use of it.
@safe public final class TLSIdentity: @unchecked Sendable {
    /// The certificate's period of validity, in seconds since 1970.
    public let validity: ClosedRange<Int64>

    let context: OpaquePointer
    private let certificate: OpaquePointer

    /// TLS 1.3 has its own; for 1.2, those with forward secrecy, including older ones for phones before 2014.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES:!SHA1"

    /// Parses PEM texts.
    /// - Parameters:
    ///   - chain: the server's certificate, then the intermediate ones.
    ///   - key: its private key, unencrypted.
    public init(chain: [UInt8], key: [UInt8]) throws(TLSFault) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(TLS_server_method()),
            unsafe zumod_tls_restrict_server(context) == 1,
            unsafe SSL_CTX_set_cipher_list(context, Self.ciphers) == 1
        else { throw .protocolError(OpenSSLError.last) }
        do {
            let certificate = try unsafe Self.load(chain, into: context)
            do {
                try unsafe Self.load(key: key, into: context)
            } catch {
                unsafe X509_free(certificate)
                throw error
            }
            unsafe SSL_CTX_set_alpn_select_cb(context, chooseHTTP, nil)
            unsafe self.context = unsafe context
            unsafe self.certificate = unsafe certificate
            validity = unsafe Self.validity(of: certificate)
        } catch let fault as TLSFault {
            unsafe SSL_CTX_free(context)
            throw fault
        } catch {
            unsafe SSL_CTX_free(context)
            throw .protocolError("\(error)")
        }
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe SSL_CTX_free(context)
    }

    /// Returns whether the certificate is valid for a host.
    public func isFor(host: String) -> Bool {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return unsafe isAddress
            ? X509_check_ip_asc(certificate, host, 0) == 1 : X509_check_host(certificate, host, 0, 0, nil) == 1
    }
}

extension TLSIdentity {
    /// Loads the certificates of a text into a context, the first as the server's own.
    /// - Returns: the first one, to be freed by the caller.
    private static func load(_ chain: [UInt8], into context: OpaquePointer) throws(TLSFault) -> OpaquePointer {
        let source = try unsafe memory(chain)
        defer { unsafe BIO_free(source) }
        guard let first = unsafe PEM_read_bio_X509_AUX(source, nil, nil, nil) else {
            throw .certificate(OpenSSLError.last)
        }
        guard unsafe SSL_CTX_use_certificate(context, first) == 1 else {
            defer { unsafe X509_free(first) }
            throw .unusableCertificate(OpenSSLError.last)
        }
        while let next = unsafe PEM_read_bio_X509(source, nil, nil, nil) {
            // The context owns it from here on.
            guard unsafe zumod_tls_add_to_chain(context, next) == 1 else {
                defer {
                    unsafe X509_free(next)
                    unsafe X509_free(first)
                }
                throw .certificate(OpenSSLError.last)
            }
        }
        // The loop ends when no more certificates are found; any other error is a fault.
        guard OpenSSLError.lastIsEndOfText else {
            defer { unsafe X509_free(first) }
            throw .certificate(OpenSSLError.last)
        }
        ERR_clear_error()
        return unsafe first
    }

    private static func load(key text: [UInt8], into context: OpaquePointer) throws(TLSFault) {
        let source = try unsafe memory(text)
        defer { unsafe BIO_free(source) }
        var wasAsked = false
        let key = unsafe withUnsafeMutablePointer(to: &wasAsked) { asked in
            // Without a callback, OpenSSL would prompt on the terminal.
            unsafe PEM_read_bio_PrivateKey(
                source, nil,
                { _, _, _, asked in
                    unsafe asked?.storeBytes(of: true, as: Bool.self)
                    return -1
                }, asked)
        }
        guard let key = unsafe key else { throw wasAsked ? .keyWithPassword : .key(OpenSSLError.last) }
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe SSL_CTX_use_PrivateKey(context, key) == 1, unsafe SSL_CTX_check_private_key(context) == 1
        else {
            ERR_clear_error()
            throw .otherKey
        }
    }

    private static func memory(_ text: [UInt8]) throws(TLSFault) -> OpaquePointer {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .protocolError(OpenSSLError.last) }
        let written = unsafe text.withUnsafeBytes { unsafe BIO_write(bio, $0.baseAddress, Int32($0.count)) }
        guard written == Int32(text.count) || text.isEmpty else {
            defer { unsafe BIO_free(bio) }
            throw .protocolError(OpenSSLError.last)
        }
        return unsafe bio
    }

    private static func validity(of certificate: OpaquePointer) -> ClosedRange<Int64> {
        let from = unsafe seconds(X509_get0_notBefore(certificate))
        let to = unsafe seconds(X509_get0_notAfter(certificate))
        return min(from, to)...max(from, to)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        let epoch = unsafe ASN1_TIME_set(nil, 0)
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}

/// Selects HTTP/1.1 from a client's ALPN offer (RFC 7301), else HTTP/1.0, else ends the handshake with an alert.
private let chooseHTTP: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenCount, offered, count, _ in
    guard let offered = unsafe offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    for wanted in ["http/1.1", "http/1.0"] {
        var place = 0
        while place < Int(count) {
            let length = unsafe Int(offered[place])
            guard place + 1 + length <= Int(count) else { break }
            let name = unsafe UnsafeBufferPointer(start: offered + place + 1, count: length)
            if unsafe name.elementsEqual(wanted.utf8) {
                unsafe chosen?.pointee = unsafe offered + place + 1
                unsafe chosenCount?.pointee = UInt8(length)
                return SSL_TLSEXT_ERR_OK
            }
            place += 1 + length
        }
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
