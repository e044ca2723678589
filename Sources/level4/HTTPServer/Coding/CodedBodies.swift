internal import Gzip
internal import HTTPModel

/// Bodies that come as gzip, and answers that go so.
extension Connection {
    private static var coding: String.UTF8View { "Accept-Encoding".utf8 }

    /// Makes the text of a body that came as gzip. Another coding is for the handler to refuse.
    /// - Parameter base: what is held of the budget without it.
    nonisolated(nonsending) func expand(_ request: inout HTTPRequest, beside base: Int) async throws(HTTPFault) {
        guard let coding = request.fields["Content-Encoding"]?.lowercased(), ["gzip", "x-gzip"].contains(coding) else {
            return
        }
        let charge = charge.counted
        do throws(GzipExpander.Fault) {
            request.body = try await loop.state.coding.expand(request.body, limit: limits.values.bodyBytes) { bytes in
                charge.cover(base + Self.copiesInHandler * bytes + GzipExpander.heldBytes)
            }
        } catch {
            switch error {
            case .damaged: throw .malformed("the body is not the gzip that its Content-Encoding announces")
            case .tooLarge: throw .bodyTooLarge(limit: limits.values.bodyBytes)
            case .noRoom: throw .buffersFull
            }
        }
        request.fields.removeAll("Content-Encoding")
    }

    /// Compresses a suitable answer, if the client accepts gzip and it is worth it.
    nonisolated(nonsending) func code(_ response: inout HTTPResponse, for request: HTTPRequest) async {
        // By bytes, and only where it stands last: a search among Unicode's characters took most of a short list's time.
        let isNamed = response.fields.values("Vary").contains { field in
            field.utf8.suffix(Self.coding.count).elementsEqual(Self.coding)
        }
        if !isNamed { response.fields.append("Vary", "Accept-Encoding") }
        guard AcceptedCodings.haveGzip(request.fields) else { return }
        let size = response.body.heldBytes
        // Several buffers are copied into one for it.
        let copiedBytes = if case .buffers = response.body { size } else { 0 }
        if size <= ResponseCoding.bytesOnLoop {
            guard let text = response.body.joined, let gzip = loop.compressor?.compress(text) else { return }
            ResponseCoding.replace(&response, by: gzip)
        } else if response.charge?.cover(size / 2 * 3 + copiedBytes + GzipCompressor.heldBytes) == true,
            let text = response.body.joined, let gzip = await loop.state.coding.compress(text)
        {
            ResponseCoding.replace(&response, by: gzip)
        }
    }
}
