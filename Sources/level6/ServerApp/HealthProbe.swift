import TLS
import Webhooks

/// Asks a running server whether it is ready, using only a socket: the container's health check.
public enum HealthProbe {
    /// Why a server is not ready.
    public enum Fault: Error, Sendable, CustomStringConvertible {
        case url(String)
        case unreachable(String)
        case notReady(status: String)

        /// A sentence for the operator.
        public var description: String {
            switch self {
            case .url(let text): "`\(text)` is not a URL like http://127.0.0.1:8080"
            case .unreachable(let authority): "no server answers at \(authority)"
            case .notReady(let status): "the server is not ready: \(status)"
            }
        }
    }

    /// Sends `GET /readyz`. The server's certificate is not verified: the probe sends nothing secret.
    /// - Parameter url: `http://HOST:PORT` or `https://HOST:PORT`; a path after it is ignored.
    public static func ask(_ url: String) throws(Fault) {
        let isSecured = url.lowercased().hasPrefix("https://")
        guard let address = try? HTTPAddress(isSecured ? "http" + url.dropFirst(5) : url) else { throw .url(url) }
        let session: TLSSession?
        do throws(TLSFault) {
            session = isSecured ? try TLSSession(trustingAnybody: ()) : nil
        } catch {
            throw .unreachable("\(address.host):\(address.port), since \(error)")
        }
        let request = "GET /readyz HTTP/1.1\r\nHost: \(address.authority)\r\nConnection: close\r\n\r\n"
        guard
            let status = try? PlainHTTP.send(
                Array(request.utf8), to: address.host, port: address.port, through: session, patience: 5)
        else { throw .unreachable("\(address.host):\(address.port)") }
        guard status.hasPrefix("200 ") else { throw .notReady(status: status) }
    }
}
