import Access
import Cryptography
import Foundation
import Platform
import Scripts
import Tables
import ZumoProtocol

extension Configuration {
    /// What to do if there is no configuration directory.
    public enum Absence: Sendable {
        /// Serve the built-in table.
        case servesSample
        /// Use the environment, the flags and the defaults.
        case hasDefaults
        /// The same, if they name a database.
        case needsDatabase
    }

    /// Reads and checks everything: settings, tables and APIs.
    /// - Parameter withTables: false for a command that needs only the settings.
    /// - Throws: all mistakes, not just the first.
    public static func read(
        from sources: ConfigurationSources, withTables: Bool = true, without absence: Absence = .needsDatabase
    ) throws(ConfigurationFaults) -> Configuration {
        // Keys are hashed as they are read, and OpenSSL hasn't been used in this process yet.
        do throws(CryptographyFault) {
            try Algorithms.prepare()
        } catch {
            throw ConfigurationFaults([ConfigurationFault.file("openssl.cnf", "\(error)")])
        }
        var reader = ConfigurationReader()
        if let directory = sources.directory { reader.readFile(in: directory) }
        reader.readEnvironment(sources.environment)
        reader.readFlags(sources.flags)
        reader.readTest(sources.environment["ZUMOD_TEST"], isFlagGiven: sources.isTest)
        if withTables, sources.directory != nil || sources.app != nil {
            reader.readScripts(in: sources.directory, sources)
            reader.readTables(in: sources.directory)
            if let directory = sources.directory {
                reader.readAPIs(in: directory)
                // A program's own APIs may be served without being in any file.
                if absence == .servesSample { reader.noteEmptiness(of: directory) }
            }
        } else if sources.directory == nil {
            reader.doWithout(absence)
        }
        reader.checkTogether()
        if withTables { reader.checkCertificate() }
        guard reader.faults.isEmpty else {
            reader.configuration.scripts?.close()
            throw ConfigurationFaults(reader.faults)
        }
        return reader.configuration
    }
}

/// Applies the sources one after another, and collects their mistakes.
private struct ConfigurationReader {
    var configuration = Configuration()
    var faults: [ConfigurationFault] = []
    /// The last position that names the database.
    private var databaseOrigin: Origin?
    private var saysGeneration = false

    private mutating func refuse(_ origin: Origin, _ key: String?, _ sentence: String) {
        faults.append(ConfigurationFault(origin, key: key, sentence))
    }

    mutating func readFile(in directory: String) {
        if let obstacle = ReadObstacle.sentence(about: directory) {
            return faults.append(.file(directory, obstacle))
        }
        guard (try? FileManager.default.contentsOfDirectory(atPath: directory)) != nil else {
            return faults.append(.file(directory, "there is no such directory; name yours with --config DIR"))
        }
        let path = "\(directory)/zumod.yaml"
        guard !ReadObstacle.isAbsent(path) else { return }
        faults += .of(apply(try YAMLFile.members(of: path), under: ""))
    }

    /// Applies the members of a mapping, and of its groups.
    private mutating func apply(_ members: [ConfigurationValue.Member], under group: String) {
        for member in members {
            let key = member.value.key
            if let setting = Setting.named(key) {
                apply(setting, member.value)
            } else if Setting.all.contains(where: { $0.key.hasPrefix("\(key).") }) {
                guard !member.value.isEmpty else { continue }
                faults += .of(apply(try member.value.members(), under: "\(key)."))
            } else {
                let siblings = Setting.all.map(\.key).filter { $0.hasPrefix(group) }.map {
                    String($0.dropFirst(group.count).prefix { $0 != "." })
                }
                faults.append(.unknownKey(member, among: siblings))
            }
        }
    }

    /// Makes this a test server, which no file can do, since production servers read files too.
    mutating func readTest(_ variable: String?, isFlagGiven: Bool) {
        switch variable ?? "" {
        case "true", "1", "yes", "on": configuration.isTest = true
        case "", "false", "0", "no", "off": configuration.isTest = isFlagGiven
        default: refuse(.environment("ZUMOD_TEST"), nil, "has to be true or false")
        }
        guard configuration.isTest else { return }
        if case .sqlite(let path) = configuration.database {
            if case .flag(let name)? = databaseOrigin {
                refuse(
                    .flag(name), "database.url",
                    "with --test rows are kept in memory, or beside a PostgreSQL database that is named")
            } else if databaseOrigin != nil {
                note("with --test \(path) is left alone: rows are kept in memory")
            }
            configuration.database = .sqliteInMemory
        } else if case .postgres = configuration.database, case .file? = databaseOrigin {
            note(
                "with --test the PostgreSQL database of the file is left alone: rows are kept in memory. To test on a "
                    + "server, name it by --database or ZUMOD_DATABASE_URL")
            configuration.database = .sqliteInMemory
        }
    }

    private mutating func note(_ text: String) {
        guard let databaseOrigin else { return }
        configuration.notes.append(ConfigurationFault(databaseOrigin, key: "database.url", text))
    }

    /// Checks what involves several keys.
    mutating func checkTogether() {
        if let providers = configuration.auth.providersOrigin, configuration.auth.signingKey == nil {
            faults.append(providers.fault("needs auth.signingKey too: a login gives a token that is signed with it"))
        }
        if let certificate = configuration.tlsPaths.certificate, configuration.tlsPaths.key == nil {
            faults.append(certificate.written.fault("needs tls.key too: the file with the certificate's private key"))
        }
        if let key = configuration.tlsPaths.key, configuration.tlsPaths.certificate == nil {
            faults.append(key.written.fault("needs tls.certificate too: the file with the certificate and its chain"))
        }
        if configuration.isTest, configuration.isExposed, !configuration.isRemoteTestAllowed {
            refuse(
                .flag("--test"), "host",
                "a server for tests obeys whoever reaches it, and \(configuration.host) is reached by other machines; "
                    + "set test.allowRemote to true (ZUMOD_TEST_ALLOW_REMOTE) if that is meant")
        }
        // A test server that is open to others has nothing to protect.
        if configuration.isExposed, !configuration.isTest {
            faults += configuration.weaknesses
        } else if let key = configuration.keyOfProxy, !configuration.isTest {
            // Whose proxy is trusted matters only to direct callers, but keys can be guessed through a proxy too.
            for weakness in configuration.weaknesses {
                guard weakness.key?.hasPrefix("auth.") == true else {
                    configuration.warnings.append(weakness)
                    continue
                }
                let sentence = "\(weakness.sentence), and by \(key) others than this machine reach the server"
                refuse(weakness.origin, weakness.key, sentence)
            }
        } else {
            configuration.warnings += configuration.weaknesses
        }
    }

    /// Reads the files in the same way as the server will.
    mutating func checkCertificate() {
        guard let files = configuration.tls else { return }
        faults += .of(
            configuration.warnings += files.warnings(
                of: try files.read(), at: SystemClock.now(), publicURL: configuration.publicURL))
    }

    mutating func readEnvironment(_ environment: [String: String]) {
        // The directory itself can be set in the environment, and so can the credentials of `zumod import`: the
        // commands read these.
        var known = ["ZUMOD_CONFIG", "ZUMOD_IMPORT_TOKEN", "ZUMOD_TEST"]
        for setting in Setting.all {
            let variable = setting.variable
            let fileVariable = "\(variable)_FILE"
            known.append(variable)
            if setting.isSecret { known.append(fileVariable) }
            let text = environment[variable] ?? ""
            let file = setting.isSecret ? environment[fileVariable] ?? "" : ""
            if !text.isEmpty, !file.isEmpty {
                refuse(.environment(variable), setting.key, "is set, and so is \(fileVariable); keep one")
            } else if !file.isEmpty {
                applySecret(setting, in: file, variable: fileVariable)
            } else {
                apply(setting, ConfigurationValue(text, origin: .environment(variable), key: setting.key))
            }
        }
        for name in environment.keys.sorted() where name.hasPrefix("ZUMOD_") && !known.contains(name) {
            let nearest = NearestName.of(name, among: known) ?? ""
            refuse(.environment(name), nil, "no key has this name; did you mean \(nearest)?")
        }
    }

    private mutating func applySecret(_ setting: Setting, in file: String, variable: String) {
        // The path is not repeated: it may be the secret itself.
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            let obstacle = ReadObstacle.sentence(about: file) ?? "can't be read"
            return refuse(.environment(variable), setting.key, "names a file that \(obstacle)")
        }
        let secret = text.trimmingCharacters(in: .newlines)
        guard !secret.isEmpty else {
            return refuse(.environment(variable), setting.key, "names a file that is empty")
        }
        apply(setting, ConfigurationValue(secret, origin: .environment(variable), key: setting.key))
    }

    mutating func readFlags(_ flags: [ConfigurationSources.Flag]) {
        for flag in flags {
            guard let setting = Setting.named(flag.key) else { continue }
            apply(setting, ConfigurationValue(flag.value, origin: .flag(flag.name), key: setting.key))
        }
    }

    private mutating func apply(_ setting: Setting, _ value: ConfigurationValue) {
        guard !value.isEmpty else { return }
        if setting.key == "database.url" { databaseOrigin = value.origin }
        if setting.key == "generation" { saysGeneration = true }
        faults += .of(try setting.apply(value, &configuration))
    }

    mutating func readScripts(in directory: String?, _ sources: ConfigurationSources) {
        var scripts = ScriptDirectory(allowed: configuration.allowedUnsupported)
        // Children get the process's environment, as the one read here may be a test's.
        let environment = ProcessInfo.processInfo.environment
        configuration.scriptLimits.reports = sources.reportsScripts
        configuration.scriptLimits.readsTwice = sources.readsScriptsTwice
        configuration.scriptLimits.tokenKey = configuration.auth.signingKey.flatMap(ScriptKey.init)?.text
        scripts.read(directory, app: sources.app, limits: configuration.scriptLimits, environment: environment)
        faults += scripts.faults
        configuration.warnings += scripts.warnings
        configuration.scripts = scripts.host
        let isService = scripts.host?.project.form == .service
        // All clients that a Mobile Service ever had speak v1, whether or not they say so.
        if isService, !saysGeneration { configuration.generation = .v1 }
        configuration.auth.trustsScripts = scripts.host != nil && !isService
    }

    /// - Parameter directory: nil if only scripts define tables.
    mutating func readTables(in directory: String?) {
        var tables = TableDirectory(configuration)
        tables.read(directory.map { "\($0)/tables" }, scripts: configuration.scripts)
        take(tables)
    }

    private mutating func take(_ tables: TableDirectory) {
        faults += tables.faults
        configuration = tables.configuration
        if configuration.isReachable { configuration.warnings += tables.openTables }
        configuration.warnings += configuration.unscriptedOperations
    }

    /// Warns about a server that would answer everything with 404.
    mutating func noteEmptiness(of directory: String) {
        guard configuration.tables.isEmpty, configuration.apis.isEmpty, !configuration.autoCreateTables else { return }
        configuration.warnings.append(
            .file(
                directory,
                "defines no table and no API, and autoCreateTables is false: there is nothing to serve. "
                    + "A table is a file in \(directory)/tables; zumod init writes a sample"))
    }

    mutating func doWithout(_ absence: Configuration.Absence) {
        switch absence {
        case .servesSample:
            var tables = TableDirectory(configuration)
            tables.readSample()
            take(tables)
            configuration.notes.append(
                .file(
                    "config",
                    "there is no such directory, nor /etc/zumod, so that the built-in sample is served: the table "
                        + "TodoItem, with its rows in \(configuration.database.place); zumod init writes a configuration"
                ))
        case .needsDatabase where databaseOrigin == nil:
            faults.append(
                .file(
                    "config",
                    "there is no such directory, nor /etc/zumod; name yours with --config DIR, or a database with "
                        + "--database URL"))
        case .needsDatabase, .hasDefaults: break
        }
    }

    mutating func readAPIs(in directory: String) {
        var apis = APIDirectory()
        apis.read("\(directory)/apis", auth: configuration.auth)
        faults += apis.faults
        configuration.apis = apis.apis
        configuration.notes += apis.notes
        if configuration.isReachable { configuration.warnings += apis.openAPIs }
    }
}
