internal import COpenSSL

/// OpenSSL's error for the previous call.
enum OpenSSLError {
    /// The reason of the thread's newest error; clears the error queue.
    static var last: String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = unsafe ERR_reason_error_string(code) else { return "no reason is given" }
        return unsafe String(cString: reason)
    }

    /// Whether the newest error is that a PEM text has no more parts.
    static var lastIsEndOfText: Bool {
        zumod_error_is_end_of_text(ERR_peek_last_error()) != 0
    }
}
