import Access
import Foundation
package import Platform

/// A file with an issuer's public keys (a JWKS), or a directory of such files.
package struct KeySource: Sendable {
    /// The issuers whose tokens the keys sign; nil for the configured ones. The same goes for the audiences.
    let issuers: [String]?
    let audiences: [String]?
    /// The claim with the user's id.
    let userClaim: String
    private let path: String
    /// The value as the operator wrote it, for messages.
    let written: ConfigurationValue

    /// Reads a path, or a mapping of `path`, `issuer` and `audience`. Paths are relative to the configuration file.
    init(_ value: ConfigurationValue) throws(ConfigurationFault) {
        guard case .members = value.form else {
            self.init(path: try value.text(), written: value, issuers: nil, audiences: nil)
            return
        }
        let values = try value.values(of: ["path", "issuer", "audience"])
        guard let path = values["path"] else { throw value.fault("needs a path, of a file or a directory") }
        let issuers = try values["issuer"].map { value throws(ConfigurationFault) in try value.texts() }
        let audiences = try values["audience"].map { value throws(ConfigurationFault) in try value.texts() }
        self.init(path: try path.text(), written: value, issuers: issuers, audiences: audiences)
    }

    init(path: String, written: ConfigurationValue, issuers: [String]?, audiences: [String]?, userClaim: String = "sub")
    {
        self.userClaim = userClaim
        self.issuers = issuers
        self.audiences = audiences
        self.written = written
        self.path = ConfiguredPath(path, in: written).path
    }

    /// The position in the configuration, such as `auth.keySets[0]`.
    package var key: String { written.key }

    /// Whether another source reads the same files.
    package func isSame(as other: KeySource) -> Bool { path == other.path }

    /// Reads the current keys. What can't be used is reported and left out: only the logins of that issuer stop
    /// working.
    package func read() -> KeyReading {
        var reading = KeyReading()
        do throws(ConfigurationFault) {
            for file in try files() {
                let (keys, remarks) = read(file)
                reading.files.append(KeyReading.File(path: file, keys: keys))
                reading.remarks += remarks
            }
            if reading.files.isEmpty { reading.remarks.append(written.fault("there is no .json file in \(path)")) }
        } catch {
            reading.isMissing = true
            reading.remarks.append(error)
        }
        if reading.isEmpty {
            reading.remarks.append(written.fault("has no usable key: until it has one, nobody's token of it is taken"))
        }
        return reading
    }

    /// The maximum size of a file in bytes: providers' key sets have some thousands.
    private static let mostBytes = 1 << 20

    private func read(_ file: String) -> (PublicKeySet?, [ConfigurationFault]) {
        let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        guard size ?? 0 <= Self.mostBytes else {
            return (nil, [written.fault("\(file) is larger than 1 MiB, as no key set is")])
        }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            let obstacle = ReadObstacle.sentence(about: file) ?? "can't be read as UTF-8 text"
            return (nil, [written.fault("\(file) \(obstacle)")])
        }
        do throws(PublicKeyFault) {
            let keys = try PublicKeySet(jwks: text)
            return (keys, keys.remarks.map { written.fault("\(file): \($0)") })
        } catch {
            switch error {
            case .notAKeySet:
                return (nil, [written.fault("\(file): is not a key set: a JSON object with an array `keys`")])
            case .noUsableKey(let remarks):
                return (
                    nil,
                    [written.fault("\(file): holds no key that tokens can be checked with")]
                        + remarks.map { written.fault("\(file): \($0)") }
                )
            }
        }
    }

    /// Returns the keys of a reading, with the requirements for their tokens.
    /// - Parameter tellsLogin: whether the tokens prove a login.
    func trusted(_ reading: KeyReading, tellingLogins tellsLogin: Bool = false) -> [TrustedKeySet] {
        reading.sets.map {
            TrustedKeySet($0, issuers: issuers, audiences: audiences, tellsLogin: tellsLogin, userClaim: userClaim)
        }
    }

    /// Returns a state by which changes are detected: each file with its time, size and identity.
    package func state() -> [FileState] {
        (try? files())?.map(FileState.init) ?? []
    }

    private func files() throws(ConfigurationFault) -> [String] {
        if let obstacle = ReadObstacle.sentence(about: path) {
            throw written.fault("\(path) \(obstacle)")
        }
        var isDirectory: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw written.fault("there is no file or directory \(path)")
        }
        guard isDirectory.boolValue else { return [path] }
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw written.fault("the directory \(path) can't be read")
        }
        // A mounted secret has each file twice, once in a directory whose name starts with dots.
        return entries.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map { "\(path)/\($0)" }
    }
}
