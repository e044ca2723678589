import Foundation
import ServerConfiguration
import ServerLogging
import Testing
import WireTesting

@testable import ServerApp

@Suite("The watch over key sets")
struct KeyWatcherTests {
    /// A reload may take its time between the reading of keys and their watch, when indexes are built for instance.
    @Test func `takes keys that came after the reading and before the watch`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zumod-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = """
            auth:
              signingKey: \(String(repeating: "1f", count: 32))
              providers: { x: { keySet: x.json, issuer: i, audience: a } }
            """
        try Data(settings.utf8).write(to: folder.appending(path: "zumod.yaml"))
        let configuration = try Configuration.read(
            from: ConfigurationSources(directory: folder.path(percentEncoded: false), environment: [:], flags: []))
        let keys = TokenKeys(configuration.auth)
        #expect(keys.keyless == ["x"])
        // The key of RFC 8037 appendix A.2.
        let set = #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
        try Data(set.utf8).write(to: folder.appending(path: "x.json"), options: .atomic)
        let watch = KeyWatcher(keys, logger: Log(CurrentLogSettings()) { _ in })
        #expect(try await Patience.eventually { keys.keyless.isEmpty })
        watch.cancel()
    }
}
