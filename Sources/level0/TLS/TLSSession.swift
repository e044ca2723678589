internal import COpenSSL

/// One connection's encryption: bytes to bytes, without a socket. Not for two threads at a time.
@safe public final class TLSSession {
    let session: OpaquePointer
    /// Received bytes to be decrypted, during `decrypt`.
    fileprivate var received = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// Bytes to be sent to the other side, in this order.
    public fileprivate(set) var unsent: [UInt8] = []
    /// How many bytes there were to be sent since the session began.
    public private(set) var producedBytes: UInt64 = 0
    /// Whether the other side has said that nothing more will come, or a fault has ended it.
    public private(set) var hasEnded = false
    private var hasFailed = false
    private var hasBegun = false
    /// How many messages of handshakes the other side has sent, key updates included.
    fileprivate var handshakeMessages = 0

    /// More of them than this end the session: each takes some time, and a client needs half a dozen.
    fileprivate static let mostHandshakeMessages = 100

    /// So much room the text needs beyond what is decrypted at once: a record may have begun before.
    public static let recordBytes = 17 << 10

    /// Begins the server's side of a session.
    /// - Throws: if there is no memory for it.
    public convenience init(_ identity: TLSIdentity) throws(TLSFault) {
        try unsafe self.init(identity.context)
        unsafe SSL_set_accept_state(session)
    }

    /// Begins a client's side of a session that trusts every server: for requests to this machine.
    /// - Throws: if there is no memory for it.
    public convenience init(trustingAnybody: Void) throws(TLSFault) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
            throw .protocolError(OpenSSLError.last)
        }
        // The session holds it from then on.
        defer { unsafe SSL_CTX_free(context) }
        try unsafe self.init(context)
        unsafe SSL_set_connect_state(session)
    }

    private init(_ context: OpaquePointer) throws(TLSFault) {
        ERR_clear_error()
        guard let session = unsafe SSL_new(context) else { throw .protocolError(OpenSSLError.last) }
        guard let method = unsafe SessionBytes.method, let bio = unsafe BIO_new(method) else {
            defer { unsafe SSL_free(session) }
            throw .protocolError(OpenSSLError.last)
        }
        unsafe self.session = unsafe session
        // Not counted as an owner: it goes with the session, and the session with this object.
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(bio, 1)
        unsafe SSL_set_bio(session, bio, bio)
        unsafe SSL_set_msg_callback(session, SessionBytes.countMessages)
    }

    deinit {
        unsafe SSL_free(session)
    }

    /// The result of the other side's bytes.
    public enum Outcome {
        /// So many bytes of text; none where more has to come first.
        case text(Int)
        /// The other side has said that nothing more will come.
        case end
        case fault(TLSFault)
    }

    /// Whether both sides have shown who they are, so that text can be sent.
    public var isEstablished: Bool { unsafe SSL_is_init_finished(session) == 1 }

    /// The certificate presented by the other side, in DER; nil if there is none.
    public var peerCertificate: [UInt8]? {
        guard let certificate = unsafe SSL_get1_peer_certificate(session) else { return nil }
        defer { unsafe X509_free(certificate) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(certificate, &bytes)
        defer { unsafe zumod_free(bytes) }
        return unsafe count > 0 ? Array(UnsafeBufferPointer(start: bytes, count: Int(count))) : nil
    }

    /// Decrypts everything received. What has to be sent in return is then in `unsent`, even after a fault.
    /// - Parameter text: receives the text; it has room for the bytes and `recordBytes` more.
    public func decrypt(
        _ bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>
    ) -> Outcome {
        if hasEnded { return .end }
        // OpenSSL knows some methods only.
        if !hasBegun, let first = unsafe bytes.first {
            hasBegun = true
            if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) { return fail(.plainHTTP) }
        }
        unsafe received = UnsafeRawBufferPointer(bytes)
        defer { unsafe received = unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        var count = 0
        while count < text.count {
            ERR_clear_error()
            var read = 0
            let base = unsafe text.baseAddress.map { unsafe $0 + count }
            let result = counting { unsafe SSL_read_ex(session, base, text.count - count, &read) }
            count += read
            if result == 1 { continue }
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .text(count)
            case SSL_ERROR_ZERO_RETURN:
                hasEnded = true
                return count > 0 ? .text(count) : .end
            default: return fail(isFlooded ? .flood : .protocolError(OpenSSLError.last))
            }
        }
        return fail(.protocolError("a record is larger than any may be"))
    }

    private func fail(_ fault: TLSFault) -> Outcome {
        hasEnded = true
        hasFailed = true
        return .fault(fault)
    }

    fileprivate var isFlooded: Bool { handshakeMessages > Self.mostHandshakeMessages }

    /// Encrypts all of a text, to the end of `unsent`.
    /// - Returns: false if the session is not established, or has ended.
    public func encrypt(_ text: Span<UInt8>) -> Bool {
        ERR_clear_error()
        var written = 0
        let result = counting {
            unsafe text.withUnsafeBufferPointer { unsafe SSL_write_ex(session, $0.baseAddress, $0.count, &written) }
        }
        return result == 1 && written == text.count
    }

    /// Begins the handshake as a client.
    public func greet() {
        ERR_clear_error()
        _ = counting { unsafe SSL_do_handshake(session) }
    }

    /// Announces that no more text will come, at the end of `unsent`.
    public func finish() {
        guard isEstablished, !hasFailed else { return }
        ERR_clear_error()
        _ = counting { unsafe SSL_shutdown(session) }
    }

    /// Takes what was sent off the beginning of `unsent`.
    public func didSend(_ count: Int) {
        if count == unsent.count { unsent = [] } else { unsent.removeFirst(count) }
    }

    private func counting(_ call: () -> Int32) -> Int32 {
        let before = unsent.count
        defer { producedBytes += UInt64(unsent.count - before) }
        return call()
    }
}

/// How OpenSSL reads and writes the bytes of a session.
private enum SessionBytes {
    /// Made once and never changed.
    nonisolated(unsafe) static let method: OpaquePointer? = {
        guard let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "session bytes") else {
            return nil
        }
        unsafe BIO_meth_set_write_ex(method) { bio, bytes, count, written in
            guard let session = unsafe session(of: bio) else { return 0 }
            unsafe session.unsent.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
            unsafe written?.pointee = count
            return 1
        }
        unsafe BIO_meth_set_read_ex(method) { bio, bytes, count, read in
            guard let session = unsafe session(of: bio) else { return 0 }
            unsafe zumod_bio_begin_read(bio)
            // The end of the stream, to OpenSSL.
            if session.isFlooded { return 0 }
            let there = unsafe session.received.count
            guard there > 0 else {
                unsafe zumod_bio_wants_bytes(bio)
                return 0
            }
            let taken = min(count, there)
            unsafe UnsafeMutableRawBufferPointer(start: bytes, count: taken).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: session.received[..<taken]))
            unsafe session.received = unsafe UnsafeRawBufferPointer(rebasing: session.received[taken...])
            unsafe read?.pointee = taken
            return 1
        }
        unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return unsafe method
    }()

    /// Is shown each message and each record's head.
    static let countMessages:
        @convention(c) (
            Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> Void = { isSent, _, type, _, _, handle, _ in
            guard isSent == 0, type == SSL3_RT_HANDSHAKE else { return }
            unsafe session(of: SSL_get_rbio(handle))?.handshakeMessages += 1
        }

    private static func session(of bio: OpaquePointer?) -> TLSSession? {
        guard let data = unsafe BIO_get_data(bio) else { return nil }
        return unsafe Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
    }
}
