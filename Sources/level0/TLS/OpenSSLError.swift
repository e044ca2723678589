internal import COpenSSL

/// What OpenSSL says about the previous call.
enum OpenSSLError {
    /// The reason of the newest error of this thread; the others are forgotten.
    static var last: String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = unsafe ERR_reason_error_string(code) else { return "no reason is given" }
        return unsafe String(cString: reason)
    }

    /// Whether the newest error is that a text in PEM has no further part.
    static var lastIsEndOfText: Bool {
        zumod_error_is_end_of_text(ERR_peek_last_error()) != 0
    }
}
