internal import Gzip
internal import HTTPModel

/// Decompression of request bodies and compression of answers.
extension Connection {
    private static var coding: String.UTF8View { "Accept-Encoding".utf8 }

    /// Decompresses a body that was sent as gzip. Other codings are for the handler to refuse.
    /// - Parameter base: the number of bytes already reserved for the rest of the connection.
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

    /// Compresses a suitable answer, if the client accepts gzip and it is worthwhile.
    nonisolated(nonsending) func code(_ response: inout HTTPResponse, for request: HTTPRequest) async {
        // Compares bytes, and only at the end: searching Unicode characters took most of the time of a short list.
        let isNamed = response.fields.values("Vary").contains { field in
            field.utf8.suffix(Self.coding.count).elementsEqual(Self.coding)
        }
        if !isNamed { response.fields.append("Vary", "Accept-Encoding") }
        guard AcceptedCodings.haveGzip(request.fields) else { return }
        let size = response.body.heldBytes
        // Compression needs several buffers copied into one.
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
