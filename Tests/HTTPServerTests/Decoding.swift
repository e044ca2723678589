import HTTPModel

@testable import HTTPServer

/// What a decoder makes of bytes fed in pieces.
struct Decoding: Equatable {
    var requests: [Request] = []
    var continues = 0
    var fault: HTTPFault?
    /// Whether the bytes end between two requests.
    var endsIdle = true

    /// A request as text, to be compared and printed.
    struct Request: Equatable {
        var method: String
        var target: String
        var fields: [String]
        var body: String
        var minorVersion = 1
        var keepsAlive = true
    }

    init(_ pieces: [some Collection<UInt8>], limits: ServerLimits = ServerLimits()) {
        var decoder = RequestDecoder(limits: LimitsSnapshot(limits), peer: "")
        for piece in pieces {
            decoder.feed(Array(piece).span)
            drain(&decoder)
        }
        endsIdle = decoder.progress == .idle
    }

    init(_ text: String, limits: ServerLimits = ServerLimits()) {
        self.init([Array(text.utf8)], limits: limits)
    }

    private mutating func drain(_ decoder: inout RequestDecoder) {
        while true {
            switch decoder.next() {
            case .needMore: return
            case .sendContinue: continues += 1
            case .request(let decoded): requests.append(Request(decoded))
            case .fault(let fault):
                self.fault = fault
                return
            }
        }
    }
}

extension Decoding.Request {
    init(_ decoded: DecodedRequest) {
        self.init(
            method: decoded.request.method.name, target: String(decoding: decoded.request.target, as: UTF8.self),
            fields: decoded.request.fields.all.map { "\($0.name)=\($0.value)" },
            body: String(decoding: decoded.request.body, as: UTF8.self), minorVersion: decoded.minorVersion,
            keepsAlive: decoded.keepsAlive)
    }
}
