import COpenSSL
import Foundation
import Testing

@testable import TLS

@Suite("TLS without a socket")
struct TLSSessionTests {
    @Test func `a text goes both ways, whatever pieces its bytes come in`() throws {
        for piece in [1, 7, 1_000, 40_000] {
            var line = try Line(Certificates.server())
            #expect(
                try line.send("GET / HTTP/1.1\r\n\r\n", from: .client, inPiecesOf: piece) == "GET / HTTP/1.1\r\n\r\n")
            let answer = String(repeating: "0123456789", count: 10_000)
            #expect(try line.send(answer, from: .server, inPiecesOf: piece) == answer)
            #expect(line.server.isEstablished)
        }
    }

    @Test func `nothing is left to be sent once all was taken, and all of it was counted`() throws {
        var line = try Line(Certificates.server())
        _ = try line.send("x", from: .client, inPiecesOf: 100)
        let before = line.server.producedBytes
        #expect(before > 1_000)
        #expect(line.server.encrypts([UInt8](repeating: 1, count: 100_000)))
        let count = line.server.unsent.count
        #expect(count > 100_000)
        #expect(line.server.producedBytes - before == UInt64(count))
        line.server.didSend(60_000)
        #expect(line.server.unsent.count == count - 60_000)
        line.server.didSend(count - 60_000)
        #expect(line.server.unsent.isEmpty)
    }

    @Test func `plain HTTP is known for what it is`() throws {
        let server = try TLSSession(Certificates.server())
        guard case .fault(.plainHTTP) = server.take("GET / HTTP/1.1\r\nHost: a\r\n\r\n") else {
            Issue.record("it was taken for something else")
            return
        }
    }

    @Test(arguments: ["GET", "HEAD", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
    func `whatever its method`(method: String) throws {
        let server = try TLSSession(Certificates.server())
        guard case .fault(.plainHTTP) = server.take("\(method) / HTTP/1.1\r\n") else {
            Issue.record("it was taken for something else")
            return
        }
        #expect(server.unsent.isEmpty)
    }

    @Test(arguments: [1, 5_000])
    func `key updates without end are a fault, and some are answered`(inOneGo count: Int) throws {
        var line = try Line(Certificates.server())
        _ = try line.send("x", from: .client, inPiecesOf: 100)
        var done = 0
        while done < 5_000 {
            for _ in 0..<count {
                #expect(unsafe SSL_key_update(line.client.session, SSL_KEY_UPDATE_REQUESTED) == 1)
                #expect(unsafe SSL_do_handshake(line.client.session) == 1)
            }
            done += count
            let bytes = line.client.unsent
            line.client.didSend(bytes.count)
            let outcome = line.server.take(bytes)
            if case .text(0) = outcome { continue }
            guard case .fault(.flood) = outcome else { break }
            #expect(done > 50 && line.server.producedBytes < 20_000)
            return
        }
        Issue.record("they were taken")
    }

    @Test(arguments: ["\u{16}\u{3}\u{1}\u{0}\u{5}garbage", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"])
    func `garbage is a fault, with a reason, and ends the session`(bytes: String) throws {
        let server = try TLSSession(Certificates.server())
        guard case .fault(.protocolError(let reason)) = server.take(bytes) else {
            Issue.record("it was taken")
            return
        }
        #expect(!reason.isEmpty)
        guard case .end = server.take("more") else {
            Issue.record("it goes on")
            return
        }
    }

    @Test func `an altered record is a fault`() throws {
        var line = try Line(Certificates.server())
        _ = try line.send("x", from: .client, inPiecesOf: 100)
        #expect(line.client.encrypts(Array("secret".utf8)))
        var record = line.client.unsent
        record[record.count - 1] ^= 1
        guard case .fault = line.server.take(record) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func `the other side's goodbye is the end, after what came with it`() throws {
        var line = try Line(Certificates.server())
        _ = try line.send("x", from: .client, inPiecesOf: 100)
        #expect(line.client.encrypts(Array("last".utf8)))
        line.client.finish()
        guard case .text(4) = line.server.take(line.client.unsent), case .end = line.server.take("") else {
            Issue.record("it isn't the end")
            return
        }
    }

    @Test func `nothing can be sent before the handshake is done`() throws {
        let server = try TLSSession(Certificates.server())
        #expect(!server.encrypts(Array("early".utf8)))
    }
}

@Suite("Certificates and keys")
struct TLSIdentityTests {
    @Test func `tell how long they are valid, and for whom`() throws {
        let identity = try Certificates.server()
        #expect(identity.validity == 1_577_836_800...4_891_363_200)
        for host in ["localhost", "127.0.0.1", "::1"] { #expect(identity.isFor(host: host), "\(host)") }
        for host in ["example.com", "10.0.0.1", ""] { #expect(!identity.isFor(host: host), "\(host)") }
        #expect(
            try TLSIdentity(chain: Certificates.bytes("expired.pem"), key: Certificates.bytes("server.key")).validity
                .upperBound == 1_609_459_200)
    }

    @Test(arguments: [
        ("server.pem", "renewed.key", TLSFault.otherKey),
        ("server.pem", "locked.key", .keyWithPassword),
        ("server.pem", "ca.pem", .key("unsupported")),
        ("server.key", "server.key", .certificate("no start line")),
    ])
    func `that don't do are refused with the reason`(chain: String, key: String, fault: TLSFault) throws {
        #expect(throws: fault) {
            try TLSIdentity(chain: Certificates.bytes(chain), key: Certificates.bytes(key))
        }
    }

    @Test func `that are empty or cut are refused`() throws {
        let (chain, key) = (try Certificates.bytes("server.pem"), try Certificates.bytes("server.key"))
        #expect(throws: TLSFault.self) { try TLSIdentity(chain: [], key: key) }
        #expect(throws: TLSFault.self) { try TLSIdentity(chain: chain, key: []) }
        #expect(throws: TLSFault.self) { try TLSIdentity(chain: Array(chain.dropLast(60)), key: key) }
        #expect(throws: TLSFault.self) { try TLSIdentity(chain: chain, key: Array(key.dropLast(40))) }
    }
}

/// The certificates of `Tests/Data/tls`, all signed by `ca.pem`.
enum Certificates {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Array(Data(contentsOf: folder.appending(path: "Data/tls/\(name)")))
    }

    static func server() throws -> TLSIdentity {
        try TLSIdentity(chain: bytes("server.pem"), key: bytes("server.key"))
    }
}

/// A client and a server with nothing in between.
private struct Line {
    enum Side { case client, server }

    let client: TLSSession
    let server: TLSSession

    init(_ identity: TLSIdentity) throws {
        client = try TLSSession(trustingAnybody: ())
        server = try TLSSession(identity)
    }

    /// Sends a text and gives back what arrives.
    mutating func send(_ text: String, from side: Side, inPiecesOf size: Int) throws -> String {
        client.greet()
        while !client.isEstablished || !server.isEstablished {
            _ = try carry(client, server, size)
            _ = try carry(server, client, size)
        }
        let (from, to) = side == .client ? (client, server) : (server, client)
        try #require(from.encrypts(Array(text.utf8)))
        return String(decoding: try carry(from, to, size), as: UTF8.self)
    }

    private func carry(_ from: TLSSession, _ to: TLSSession, _ size: Int) throws -> [UInt8] {
        var arrived: [UInt8] = []
        while !from.unsent.isEmpty {
            let piece = Array(from.unsent.prefix(size))
            from.didSend(piece.count)
            var text: [UInt8] = []
            guard case .text = to.take(piece, &text) else { throw TLSFault.protocolError("cut") }
            arrived += text
        }
        return arrived
    }
}

extension TLSSession {
    fileprivate func encrypts(_ bytes: [UInt8]) -> Bool { encrypt(bytes.span) }

    fileprivate func take(_ text: String) -> Outcome { take(Array(text.utf8)) }

    fileprivate func take(_ bytes: [UInt8]) -> Outcome {
        var text: [UInt8] = []
        return take(bytes, &text)
    }

    fileprivate func take(_ bytes: [UInt8], _ text: inout [UInt8]) -> Outcome {
        var room = [UInt8](repeating: 0, count: bytes.count + Self.recordBytes)
        let outcome = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe room.withUnsafeMutableBufferPointer { unsafe decrypt(bytes, into: $0) }
        }
        if case .text(let count) = outcome { text = Array(room[..<count]) }
        return outcome
    }
}
