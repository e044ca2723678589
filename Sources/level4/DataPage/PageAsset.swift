import ByteText
import Cryptography
import HTTPModel
import PageAssets

/// A file of the page, embedded in the program.
struct PageAsset {
    let name: String
    let type: String
    let bytes: [UInt8]
    /// The entity tag, which changes with the bytes.
    let tag: String

    /// All files by name.
    static let all: [String: PageAsset] = {
        var assets: [String: PageAsset] = [:]
        for index in 0..<Int(page_asset_count()) {
            let asset = unsafe PageAsset(page_asset(Int32(index)))
            assets[asset.name] = asset
        }
        return assets
    }()

    private init(_ asset: page_asset_t) {
        name = unsafe String(cString: asset.name)
        let bytes = unsafe Array(UnsafeBufferPointer(start: asset.bytes, count: Int(asset.length)))
        self.bytes = bytes
        tag = "\"\(Digest.sha256(bytes.span).prefix(8).hexText)\""
        type =
            switch name.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            case "svg": "image/svg+xml"
            default: "application/octet-stream"
            }
    }

    static func answer(_ request: HTTPRequest, named name: String) throws(PageFault) -> HTTPResponse {
        guard let asset = all[name], name != pageName else { throw .unknownPath }
        return try asset.answer(request)
    }

    /// Returns the single page, whatever it is to show.
    static func page(for request: HTTPRequest) throws(PageFault) -> HTTPResponse {
        guard let asset = all[pageName] else { throw .unknownPath }
        return try asset.answer(request)
    }

    private static let pageName = "index.html"

    private func answer(_ request: HTTPRequest) throws(PageFault) -> HTTPResponse {
        try PageFault.only(request)
        var fields = HTTPFields()
        fields.append("ETag", tag)
        // Revalidated each time, so that a new server's page never runs with an old script.
        fields.append("Cache-Control", "no-cache")
        if request.fields["If-None-Match"] == tag { return HTTPResponse(.notModified, fields: fields) }
        fields.append("Content-Type", type)
        return HTTPResponse(.ok, fields: fields, body: bytes)
    }
}
