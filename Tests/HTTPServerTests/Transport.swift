import Foundation
import HTTPModel
import HTTPServer
import Platform
import Synchronization
import TLS
import Testing

/// What a test speaks, and how its server waits.
struct Transport: Sendable {
    let isSecured: Bool
    let polling: Poller.Kind

    /// Plain HTTP, the same encrypted, and plain HTTP of a server that waits by the way that every system has.
    static let all = [
        Transport(isSecured: false, polling: .best), Transport(isSecured: true, polling: .best),
        Transport(isSecured: false, polling: .portable),
    ]

    /// That of the test at work.
    @TaskLocal static var current = all[0]

    /// Who the server is; nil for plain HTTP.
    static var identity: TLSIdentity? {
        get throws { try current.isSecured ? identity(of: "server") : nil }
    }

    static func server(
        handler: any HTTPHandler, limits: ServerLimits = .patient, budget: ByteBudget = ByteBudget(512 << 20)
    ) throws -> HTTPServer {
        HTTPServer(handler: handler, limits: limits, budget: budget, identity: try identity, polling: current.polling)
    }

    /// One of the certificates of `Tests/Data/tls`.
    static func identity(of name: String) throws -> TLSIdentity {
        try TLSIdentity(chain: bytes(of: "\(name).pem"), key: bytes(of: "\(name).key"))
    }

    private static func bytes(of file: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Array(Data(contentsOf: tests.appending(path: "Data/tls/\(file)")))
    }
}

/// Runs each test of a suite by every transport.
struct EveryTransportTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for transport in Transport.all {
            try await Transport.$current.withValue(transport) { try await function() }
        }
    }
}

extension Trait where Self == EveryTransportTrait {
    static var everyTransport: EveryTransportTrait { EveryTransportTrait() }
}

/// A client's encryption. One thread may send while another receives.
final class Encryption: Sendable {
    /// Sendable unchecked: it lives behind the mutex of `Encryption`.
    private struct State: @unchecked Sendable {
        let session: TLSSession
        var isBegun = false
        /// What was decrypted and not yet asked for.
        var text: [UInt8] = []
    }

    private let state: Mutex<State>

    init() throws {
        state = Mutex(State(session: try TLSSession(trustingAnybody: ())))
    }

    func establish(by client: RawClient) throws {
        let isBegun = state.withLock { state in
            defer { state.isBegun = true }
            if !state.isBegun { state.session.greet() }
            return state.isBegun
        }
        guard !isBegun else { return }
        while true {
            try sendProduced(by: client)
            if state.withLock({ $0.session.isEstablished }) { return }
            guard try take(client.receiveRaw(upTo: 16 << 10)) else {
                throw RawClient.Failure(description: "the stream ends in the handshake")
            }
        }
    }

    var wasToldOfTheEnd: Bool { state.withLock { $0.session.hasEnded } }

    var serverCertificate: [UInt8]? { state.withLock { $0.session.peerCertificate } }

    func send(
        _ bytes: [UInt8], altering: Bool = false, isLast: Bool = false, by client: RawClient
    ) throws {
        guard state.withLock({ $0.session.encrypt(bytes.span) }) || bytes.isEmpty else {
            throw RawClient.Failure(description: "the session can't send")
        }
        if isLast { state.withLock { $0.session.finish() } }
        try sendProduced(altering: altering, by: client)
    }

    func finish(by client: RawClient) {
        state.withLock { $0.session.finish() }
        try? sendProduced(by: client)
    }

    func receive(upTo limit: Int, by client: RawClient) throws -> [UInt8] {
        while true {
            let some = state.withLock { state in
                let some = Array(state.text.prefix(limit))
                state.text.removeFirst(some.count)
                return some
            }
            if !some.isEmpty { return some }
            guard try take(client.receiveRaw(upTo: 16 << 10)) else { return [] }
        }
    }

    private func sendProduced(altering: Bool = false, by client: RawClient) throws {
        // Only one thread sends at a time in these tests.
        var bytes = state.withLock { state in
            defer { state.session.didSend(state.session.unsent.count) }
            return state.session.unsent
        }
        if altering { bytes[bytes.count - 1] ^= 1 }
        try client.sendRaw(bytes)
    }

    /// - Returns: false at the end.
    private func take(_ bytes: [UInt8]) throws -> Bool {
        if bytes.isEmpty { return false }
        return try state.withLock { state in
            var room = [UInt8](repeating: 0, count: bytes.count + TLSSession.recordBytes)
            let outcome = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe room.withUnsafeMutableBufferPointer { unsafe state.session.decrypt(bytes, into: $0) }
            }
            switch outcome {
            case .text(let count):
                state.text += room[..<count]
                return true
            case .end: return false
            case .fault(let fault): throw fault
            }
        }
    }
}
