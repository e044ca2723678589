import Conformance
import CurlClient
import Foundation
import HTTPModel
import WireTesting

/// Sends the requests of checks without a process for each, which would be most of what hundreds of runs take: that checks
/// go by curl, too, is proved by the program's own tests.
struct WireTransport: ConformanceTransport {
    let port: UInt16

    func send(_ request: CurlRequest) async throws(CurlFault) -> CurlResponse {
        let result: Result<CurlResponse, CurlFault> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result { () throws(WireClient.Failure) in try exchange(request) }
                        .mapError { .noAnswer("\($0)") })
            }
        }
        return try result.get()
    }

    private func exchange(_ request: CurlRequest) throws(WireClient.Failure) -> CurlResponse {
        let origin = "http://127.0.0.1:\(port)"
        var head = [
            "\(request.method.name) \(request.url.dropFirst(origin.count)) HTTP/1.1", "Host: 127.0.0.1:\(port)",
        ]
        head += ["User-Agent: curl/8", "Accept: */*"].filter { usual in
            !request.fields.contains { usual.lowercased().hasPrefix("\($0.name.lowercased()):") }
        }
        head += request.fields.map { "\($0.name): \($0.value)" }
        if let body = request.body { head.append("Content-Length: \(body.utf8.count)") }
        let client = try WireClient(port: port)
        try client.send(head.joined(separator: "\r\n") + "\r\n\r\n" + (request.body ?? ""))
        let answer = try client.response(hasBody: request.method != .head)
        return CurlResponse(
            status: answer.code, reason: String(answer.status.dropFirst(4)),
            fields: answer.fields.map { CurlField($0.name, $0.value) }, body: answer.body)
    }
}
