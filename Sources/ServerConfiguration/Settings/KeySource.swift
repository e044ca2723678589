import Access
import Foundation
package import Platform

/// A file with an issuer's public keys (a JWKS), or a directory of such files.
package struct KeySource: Sendable {
    /// Whose tokens the keys sign; nil for the configured issuers and audiences.
    let issuers: [String]?
    let audiences: [String]?
    private let path: String
    /// As the operator wrote it, for messages.
    private let written: WrittenValue

    /// Reads a path, or a mapping of `path`, `issuer` and `audience`. Paths are relative to the configuration file.
    init(_ value: WrittenValue) throws(ConfigurationFault) {
        guard case .members(let members) = value.form else {
            self.init(path: try value.text(), written: value, issuers: nil, audiences: nil)
            return
        }
        var values: [String: WrittenValue] = [:]
        for member in members {
            guard Self.members.contains(member.name) else { throw .unknownKey(member, among: Self.members) }
            if !member.value.isEmpty { values[member.name] = member.value }
        }
        guard let path = values["path"] else { throw value.fault("needs a path, of a file or a directory") }
        let issuers = try values["issuer"].map { value throws(ConfigurationFault) in try value.texts() }
        let audiences = try values["audience"].map { value throws(ConfigurationFault) in try value.texts() }
        self.init(path: try path.text(), written: value, issuers: issuers, audiences: audiences)
    }

    private static let members = ["path", "issuer", "audience"]

    init(path: String, written: WrittenValue, issuers: [String]?, audiences: [String]?) {
        self.issuers = issuers
        self.audiences = audiences
        self.written = written
        self.path = WrittenPath(path, in: written).path
    }

    /// The keys as they stand in the files now.
    /// - Parameter tellsLogin: whether the tokens tell a login.
    func read(tellingLogins tellsLogin: Bool = false) throws(ConfigurationFault) -> [TrustedKeySet] {
        let files = try files()
        guard !files.isEmpty else { throw written.fault("there is no .json file in \(path)") }
        var sets: [TrustedKeySet] = []
        for file in files {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw written.fault("\(file) can't be read as UTF-8 text")
            }
            do throws(PublicKeyFault) {
                let keys = try PublicKeySet(jwks: text)
                sets.append(TrustedKeySet(keys, issuers: issuers, audiences: audiences, tellsLogin: tellsLogin))
            } catch {
                throw written.fault("\(file): \(Self.words(error))")
            }
        }
        return sets
    }

    /// What tells that a file has changed: each file with its time, size and identity.
    package func state() -> [FileState] {
        (try? files())?.map(FileState.init) ?? []
    }

    private func files() throws(ConfigurationFault) -> [String] {
        var isDirectory: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw written.fault("there is no file or directory \(path)")
        }
        guard isDirectory.boolValue else { return [path] }
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw written.fault("the directory \(path) can't be read")
        }
        // A mounted secret has its files twice, once below a name with dots in front.
        return entries.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map { "\(path)/\($0)" }
    }

    private static func words(_ fault: PublicKeyFault) -> String {
        switch fault {
        case .notAKeySet: "is not a key set: a JSON object with an array `keys`"
        case .tooManyKeys(let limit): "holds more than \(limit) keys"
        case .invalidKey(let index): "key \(index) (counted from 0) is no valid key, or an RSA key under 2,048 bits"
        case .privateKey(let index): "key \(index) (counted from 0) has its private part; publish the public one only"
        case .duplicateKeyID(let index): "key \(index) (counted from 0) has the kid of an earlier key"
        case .noUsableKey: "holds no key for RS256, ES256 or EdDSA"
        }
    }
}
