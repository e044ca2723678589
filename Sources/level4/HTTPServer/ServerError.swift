internal import Platform

/// Why the server could not start. The descriptions say what to do about it.
public enum ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another process is listening on that port.
    case portInUse(host: String, port: UInt16)
    /// The system reserves that port.
    case notPermitted(host: String, port: UInt16)
    /// The name can't be resolved; the reason is the resolver's.
    case unknownHost(String, reason: String)
    /// No interface of this machine has that address.
    case addressNotHere(host: String)
    /// `start` was called before: a server starts once.
    case alreadyStarted
    /// Another system call failed.
    case system(call: String, code: Int32)

    /// A sentence for the person who has to get the server running.
    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "Port \(port) on \(host) is taken by another process. Stop that process or choose another port."
        case .notPermitted(let host, let port):
            "Not permitted to listen on port \(port) of \(host). Ports below 1024 need a privilege: choose a higher port."
        case .unknownHost(let host, let reason):
            "The host to listen on, \"\(host)\", is not known: \(reason). Use an IP address, localhost, 0.0.0.0 or ::."
        case .addressNotHere(let host):
            "No network interface of this machine has the address \(host). Use 127.0.0.1, 0.0.0.0 or ::."
        case .alreadyStarted:
            "This server was started before; it starts only once."
        case .system(let call, let code):
            "The system refused \(call): \(Self.systemText(code)) (error \(code))."
        }
    }

    static func last(_ call: String) -> ServerError {
        .system(call: call, code: errno)
    }

    private static func systemText(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 256)
        _ = unsafe strerror_r(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
