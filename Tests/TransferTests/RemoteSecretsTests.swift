import Foundation
import Testing

@testable import Transfer

@Suite struct `What import shows another server` {
    private func secrets(
        token: String? = nil, tokenFile: String? = nil, environment: String? = nil
    ) throws -> String? {
        try RemoteSecrets(headers: [], token: token, tokenFile: tokenFile, environment: environment).token
    }

    @Test func `the token is the flag's, the file's or the environment's`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("\n filed \nmore".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try secrets() == nil)
        #expect(try secrets(environment: "") == nil)
        #expect(try secrets(environment: "of the shell") == "of the shell")
        #expect(try secrets(token: "flag", environment: "of the shell") == "flag")
        #expect(try secrets(tokenFile: file.path, environment: "of the shell") == "filed")
    }
}
