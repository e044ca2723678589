import WireTesting

/// A connection that is opened again after it broke, where the server is then.
public final class ServerConnection {
    /// A request that was answered.
    public struct Exchange: Sendable {
        /// The request.
        public let request: ClientRequest
        /// The status code of its answer.
        public let code: Int
    }

    private let port: () -> UInt16
    private let prefix: String
    private var client: WireClient?
    /// What was asked and answered since `forget`.
    public private(set) var exchanges: [Exchange] = []
    /// Breaks off before the answer to the next write is read, as a phone does that loses its network.
    public var losesNextAnswer = false

    /// - Parameters:
    ///   - prefix: what the paths of the server's base URL begin with, without a slash at the end.
    ///   - port: says where the server is, each time a connection is opened.
    public init(below prefix: String = "", port: @escaping () -> UInt16) {
        self.prefix = prefix
        self.port = port
    }

    /// Begins a new list of exchanges.
    public func forget() {
        exchanges = []
    }

    /// Sends a request and reads its answer.
    func exchange(_ request: ClientRequest) throws(SyncFailure) -> WireResponse {
        do throws(WireClient.Failure) {
            let port = port()
            let open: WireClient
            if let client { open = client } else { open = try WireClient(port: port) }
            client = open
            try open.send(request.below(prefix).text(host: "127.0.0.1:\(port)"))
            let response = try open.response()
            if losesNextAnswer, request.method != .get {
                losesNextAnswer = false
                client = nil
                throw WireClient.Failure.incomplete(received: "")
            }
            exchanges.append(Exchange(request: request, code: response.code))
            return response
        } catch {
            client = nil
            throw .connectionLost
        }
    }
}
