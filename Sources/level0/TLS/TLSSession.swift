internal import COpenSSL

/// One connection's encryption: bytes to bytes, without a socket. Must not be used by two threads at a time.
@safe public final class TLSSession {
    let session: OpaquePointer
    /// Received bytes to be decrypted, during `decrypt`.
    fileprivate var received = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// Bytes to be sent to the peer, in this order.
    public fileprivate(set) var unsent: [UInt8] = []
    /// The total number of bytes produced for sending since the session began.
    public private(set) var producedBytes: UInt64 = 0
    /// Whether the peer has announced its end, or a fault has ended the session.
    public private(set) var hasEnded = false
    private var hasFailed = false
    private var hasBegun = false
    /// The number of handshake messages that the peer has sent, including key updates.
    fileprivate var handshakeMessages = 0

    /// More of them end the session: each takes some time, and a client needs half a dozen.
    fileprivate static let mostHandshakeMessages = 100

    /// The room for text needed beyond the size of received bytes: a record may have begun earlier.
    public static let recordBytes = 17 << 10

    /// Starts the server's side of a session.
    /// - Throws: an error if there isn't enough memory.
    public convenience init(_ identity: TLSIdentity) throws(TLSFault) {
        try unsafe self.init(identity.context)
        unsafe SSL_set_accept_state(session)
    }

    /// Starts a client's side of a session that trusts every server, for requests to this machine.
    /// - Throws: an error if there isn't enough memory.
    public convenience init(trustingAnybody: Void) throws(TLSFault) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
            throw .protocolError(OpenSSLError.last)
        }
        // From then on, the session keeps it alive.
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
        // An unretained reference: the BIO is freed with the session, and the session with this object.
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(bio, 1)
        unsafe SSL_set_bio(session, bio, bio)
        unsafe SSL_set_msg_callback(session, SessionBytes.countMessages)
    }

    deinit {
        unsafe SSL_free(session)
    }

    /// The result of decrypting received bytes.
    public enum Outcome {
        /// That many bytes of text; 0 if more must be received first.
        case text(Int)
        /// The peer has announced its end.
        case end
        case fault(TLSFault)
    }

    /// Whether the handshake is complete, so that text can be sent.
    public var isEstablished: Bool { unsafe SSL_is_init_finished(session) == 1 }

    /// The peer's certificate, in DER; nil if there is none.
    public var peerCertificate: [UInt8]? {
        guard let certificate = unsafe SSL_get1_peer_certificate(session) else { return nil }
        defer { unsafe X509_free(certificate) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(certificate, &bytes)
        defer { unsafe zumod_free(bytes) }
        return unsafe count > 0 ? Array(UnsafeBufferPointer(start: bytes, count: Int(count))) : nil
    }

    /// Decrypts everything received. Anything to be sent in return is then in `unsent`, even after a fault.
    /// - Parameter text: receives the text; it must have room for the bytes and `recordBytes` more.
    public func decrypt(
        _ bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>
    ) -> Outcome {
        if hasEnded { return .end }
        // OpenSSL only recognizes some methods.
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

    /// Encrypts all of a text, appending to `unsent`.
    /// - Returns: false if the session is not established, or has ended.
    public func encrypt(_ text: Span<UInt8>) -> Bool {
        ERR_clear_error()
        var written = 0
        let result = counting {
            unsafe text.withUnsafeBufferPointer { unsafe SSL_write_ex(session, $0.baseAddress, $0.count, &written) }
        }
        return result == 1 && written == text.count
    }

    /// Starts the handshake as a client.
    public func greet() {
        ERR_clear_error()
        _ = counting { unsafe SSL_do_handshake(session) }
    }

    /// Announces that no more text will come, appending to `unsent`.
    public func finish() {
        guard isEstablished, !hasFailed else { return }
        ERR_clear_error()
        _ = counting { unsafe SSL_shutdown(session) }
    }

    /// Removes sent bytes from the beginning of `unsent`.
    public func didSend(_ count: Int) {
        if count == unsent.count { unsent = [] } else { unsent.removeFirst(count) }
    }

    private func counting(_ call: () -> Int32) -> Int32 {
        let before = unsent.count
        defer { producedBytes += UInt64(unsent.count - before) }
        return call()
    }
}

/// OpenSSL's access to the bytes of a session.
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
            // OpenSSL sees the end of the stream.
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

    /// Called for each message and each record's header.
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
