import Foundation
import JSONText
import Platform
import Scripts
import Tables

/// Finds the scripts of a configuration and has a worker read them, as their definitions are part of the configuration.
struct ScriptDirectory {
    /// Runs the scripts; nil if there are none, or they can't be run.
    private(set) var host: ScriptHost?
    private(set) var faults: [ConfigurationFault] = []
    private(set) var warnings: [ConfigurationFault] = []
    /// Features known to be unsupported that may be used, and where the configuration says so.
    let allowed: [UnsupportedFeature: Origin]

    /// - Parameter app: a project that is served as a whole; nil for the scripts next to the configuration's own files.
    mutating func read(_ directory: String?, app: String?, limits: ScriptLimits, environment: [String: String]) {
        let named =
            app.map { [$0] } ?? directory.map { root in ["tables", "api", "scheduler"].map { "\(root)/\($0)" } } ?? []
        for folder in named {
            do throws(ConfigurationFault) {
                _ = try OperatorFiles.names(in: folder)
            } catch {
                // Something other than a folder has no scripts, and the folder of tables is also read elsewhere.
                if ReadObstacle.sentence(about: folder) != nil, app != nil || !folder.hasSuffix("/tables") {
                    faults.append(error)
                }
            }
        }
        guard faults.isEmpty else { return }
        guard let project = Self.project(directory, app: app) else {
            if let app {
                let sentence =
                    "has no app.js, no package.json and no folder table: it is no project of the Node SDK, "
                    + "and no folder of a Mobile Service"
                faults.append(.file(app, sentence))
            }
            return noteIdle([])
        }
        do throws(ScriptHost.Fault) {
            let host = try ScriptHost.start(project, limits: limits, environment: environment)
            self.host = host
            for fault in host.inventory.faults + (host.fickleness.map { [$0] } ?? []) { take(fault, of: project) }
            noteIdle(host.inventory.faults.compactMap(\.unsupported))
        } catch {
            faults.append(.file(project.root, error.description))
        }
    }

    private mutating func take(_ fault: ScriptFault, of project: ScriptProject) {
        let path =
            fault.file.isEmpty
            ? project.root : fault.file.hasPrefix("/") ? fault.file : "\(project.root)/\(fault.file)"
        let isAllowed = fault.unsupported.map { allowed[$0] != nil } ?? false
        let hint = fault.unsupported.map { isAllowed ? " (\($0.rawValue) is allowed)" : Self.hint($0) } ?? ""
        let written = ConfigurationFault(.file(path, line: fault.line ?? 0), key: nil, fault.text + hint)
        // Without the script that guards it, a table would be open to too many.
        if fault.isFatal && !isAllowed { faults.append(written) } else { warnings.append(written) }
    }

    private static let key = "scripts.allowUnsupported"

    private static func hint(_ name: UnsupportedFeature) -> String {
        "; if that is known: \(key): [\(name.rawValue)]"
    }

    /// Warns about allowed features that the project doesn't use: otherwise later uses would go unnoticed.
    private mutating func noteIdle(_ met: [UnsupportedFeature]) {
        for name in UnsupportedFeature.allCases where !met.contains(name) {
            guard let origin = allowed[name] else { continue }
            let sentence = "\(name.rawValue) is nothing that the scripts have"
            warnings.append(ConfigurationFault(origin, key: Self.key, sentence))
        }
    }

    /// Returns the folder of scripts with its layout; nil if there is none.
    static func project(_ directory: String?, app: String?) -> ScriptProject? {
        if let app {
            let root = absolute(app)
            let files = FileManager.default
            let parts = ["service/table", "service/api", "table"]
            if parts.contains(where: { files.fileExists(atPath: "\(root)/\($0)") }) {
                return ScriptProject(.service, at: root)
            }
            if ["app.js", "package.json"].contains(where: { files.fileExists(atPath: "\(root)/\($0)") }) {
                return ScriptProject(.app, at: root)
            }
            // A project of the Node SDK may also have folders of these names.
            let others = ["service/scheduler", "service/extensions"]
            if others.contains(where: { files.fileExists(atPath: "\(root)/\($0)") }) {
                return ScriptProject(.service, at: root)
            }
            return nil
        }
        guard let directory else { return nil }
        let root = absolute(directory)
        let hasScripts = ["tables", "api", "scheduler"].contains { folder in
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
            return entries.contains { $0.hasSuffix(".js") && !$0.hasPrefix(".") }
        }
        return hasScripts ? ScriptProject(.config, at: root) : nil
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
