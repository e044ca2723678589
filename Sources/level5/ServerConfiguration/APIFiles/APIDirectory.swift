import CustomAPI
import Foundation

/// Reads which built-in APIs are enabled: one file for each in `config/apis`.
struct APIDirectory {
    private(set) var apis: [ConfiguredAPI] = []
    private(set) var faults: [ConfigurationFault] = []
    private(set) var notes: [ConfigurationFault] = []
    /// The APIs that are open to everyone because their files don't mention access.
    private(set) var openAPIs: [ConfigurationFault] = []

    mutating func read(_ directory: String, auth: Configuration.Auth) {
        var entries: [String] = []
        faults += .of(entries = try OperatorFiles.names(in: directory))
        var firstFiles: [String: String] = [:]
        for entry in entries.sorted() where !entry.hasPrefix(".") {
            guard [".yaml", ".yml", ".json"].contains(where: { entry.lowercased().hasSuffix($0) }) else {
                let sentence = "is not read; an API is .yaml, .yml or .json"
                notes.append(.file("\(directory)/\(entry)", sentence))
                continue
            }
            var file = APIFile(directory: directory, entry: entry)
            file.read()
            faults += file.faults
            guard let api = file.api else { continue }
            if let first = firstFiles.updateValue(file.path, forKey: api.name.lowercased()) {
                let sentence = "API \(api.name) is defined in \(first) too; names match in any case"
                faults.append(.file(file.path, sentence))
                continue
            }
            if api.kind.mintsTokens { note(api, file.path, auth) }
            if file.isSilent { openAPIs.append(.silentAccess(file.path, "the API \(api.name)")) }
            apis.append(api)
        }
    }

    private mutating func note(_ api: ConfiguredAPI, _ path: String, _ auth: Configuration.Auth) {
        if auth.signingKey == nil {
            let sentence = "\(api.kind.rawValue) needs a key to sign tokens with: auth.signingKey"
            faults.append(.file(path, key: "kind", sentence))
        } else {
            let sentence = "\(api.kind.rawValue) gives a user's token to everybody: for tests only"
            notes.append(.file(path, key: "kind", sentence))
        }
    }
}
