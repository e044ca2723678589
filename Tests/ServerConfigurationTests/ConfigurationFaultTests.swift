import Testing

@testable import ServerConfiguration

@Suite("What is wrong with a configuration")
struct ConfigurationFaultTests {
    @Test(arguments: [
        ("prot: 80", "zumod.yaml:1: prot: unknown key; did you mean port?"),
        ("\nlog:\n  levle: info", "zumod.yaml:3: log.levle: unknown key; did you mean log.level?"),
        ("databse: { url: x }", "zumod.yaml:1: databse: unknown key; did you mean database?"),
        ("log: info", "zumod.yaml:1: log: has to be a mapping of names to values, not a text"),
        ("port: [1]", "zumod.yaml:1: port: has to be a whole number from 0 to 65535, not a list"),
        ("port: 65536", "zumod.yaml:1: port: has to be a whole number from 0 to 65535, not `65536`"),
        ("requireVersion: yes", "zumod.yaml:1: requireVersion: has to be true or false, not `yes`"),
        ("requireVersion: \"true\"", "zumod.yaml:1: requireVersion: has to be true or false, not `true`"),
        ("pageSize: 0", "zumod.yaml:1: pageSize: has to be a whole number from 1 to 1000000, not `0`"),
        (
            "scripts: { allowUnsupported: [websockets, sockets] }",
            "zumod.yaml:1: scripts.allowUnsupported[1]: has to be one of client-certificates, data-provider, "
                + "push-registration, sdk-module, second-application, startup-app, transaction, websockets, not `sockets`"
        ),
        ("log: { format: xml }", "zumod.yaml:1: log.format: has to be one of text, json, not `xml`"),
        (
            "publicUrl: api.example.com",
            "zumod.yaml:1: publicUrl: has to be an http or https URL such as https://api.example.com, not `api.example.com`"
        ),
        (
            "limits: { bodyBytes: 1 }",
            "zumod.yaml:1: limits.bodyBytes: has to be a whole number from 1024 to 268435456, not `1`"
        ),
        (
            "limits:\n  addressRequestsPerMinute: -1",
            "zumod.yaml:2: limits.addressRequestsPerMinute: has to be a whole number from 0 to 1000000, not `-1`"
        ),
        (
            "limits: { userRequestsPerMinute: many }",
            "zumod.yaml:1: limits.userRequestsPerMinute: has to be a whole number from 0 to 1000000, not `many`"
        ),
        ("cors: { maxAge: 86401 }", "zumod.yaml:1: cors.maxAge: has to be a whole number from 0 to 86400, not `86401`"),
        ("cors: { origins: localhost }", "zumod.yaml:1: cors.origins: has to be a list, not `localhost`"),
        (
            "cors:\n  origins:\n    - localhost\n    -\n",
            "zumod.yaml:4: cors.origins[1]: is empty; the origin null has to stand in quotes: \"null\""
        ),
        ("port: 1\nport: 2", "zumod.yaml:1: port: is written more than once"),
        ("- port", "zumod.yaml:1: has to be a mapping of names to values, not a list"),
    ])
    func `names file, line and key, and says what was expected`(settings: String, fault: String) throws {
        #expect(try ConfigurationDirectory.faults(in: settings) == [fault])
    }

    @Test(arguments: [
        "*.*.example.com", "https://*.example.*", "https://", "https://app.example.com/path", "https://user@a.example",
        "app.example.com:0", "app.example.com:99999", "app.example.com:*", "://a", "https://a b", "a?b", "[::1",
        "é.example",
        "1a://b", "",
    ])
    func `a pattern that no origin could match is told with its line`(pattern: String) throws {
        let faults = try ConfigurationDirectory.faults(in: "cors:\n  origins:\n    - localhost\n    - \"\(pattern)\"\n")
        let wanted =
            "a host such as localhost or *.example.com (one * at most), an origin such as https://app.example.com"
        #expect(
            faults == ["zumod.yaml:4: cors.origins[1]: has to be \(wanted), \"null\", or * alone, not `\(pattern)`"])
    }

    @Test func `all of it is told, not just the first`() throws {
        let directory = try ConfigurationDirectory([
            "zumod.yaml": "prot: 1\nport: x\n", "tables/a.yaml": "softDelete: 1\n",
        ])
        let faults = directory.faults(
            environment: ["ZUMOD_MAX_TOP": "-1"], flags: [.init("--log-level", key: "log.level", value: "loud")])
        #expect(
            faults == [
                "zumod.yaml:1: prot: unknown key; did you mean port?",
                "zumod.yaml:2: port: has to be a whole number from 0 to 65535, not `x`",
                "environment ZUMOD_MAX_TOP: maxTop: has to be a whole number from 0 to 1000000, not `-1`",
                "flag --log-level: log.level: has to be one of trace, debug, info, notice, warning, error, critical, not `loud`",
                "tables/a.yaml:1: softDelete: has to be true or false, not `1`",
            ])
    }

    @Test func `an unknown variable is told with the nearest known one`() throws {
        #expect(
            try ConfigurationDirectory().faults(environment: ["ZUMOD_DATABSE_URL": "x"])
                == ["environment ZUMOD_DATABSE_URL: no key has this name; did you mean ZUMOD_DATABASE_URL?"])
    }

    @Test(arguments: [
        ("signingKey: \"0000\"", "auth.signingKey: The key is nothing but zeros, which anybody can guess."),
        ("masterKey: \" secret\"", "auth.masterKey: The key begins or ends with white space."),
        ("applicationKey: [secret]", "auth.applicationKey: has to be a text"),
    ])
    func `a key that can't be used is told without the key`(setting: String, fault: String) throws {
        #expect(try ConfigurationDirectory.faults(in: "auth:\n  \(setting)") == ["zumod.yaml:2: \(fault)"])
    }

    @Test func `text that is not YAML is told with its line`() throws {
        let faults = try ConfigurationDirectory.faults(in: "port: 1\nhost: \"open\n")
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("zumod.yaml:3: ") == true)
    }

    @Test func `a directory that is missing is told`() {
        let sources = ConfigurationSources(directory: "/nowhere/at/all")
        #expect(throws: ConfigurationFaults.self) { try Configuration.read(from: sources) }
    }

    @Test(arguments: [("prot", "port"), ("Signing_Key", "signingKey"), ("", "a"), ("colums", "columns")])
    func `the nearest name has the fewest edits`(name: String, nearest: String) {
        #expect(NearestName.of(name, among: ["signingKey", "columns", "port", "a"]) == nearest)
    }

    @Test(arguments: [("", "", 0), ("abc", "ABC", 0), ("kitten", "sitting", 3), ("", "ab", 2), ("ab", "", 2)])
    func `edits are insertions, deletions and substitutions`(source: String, target: String, edits: Int) {
        #expect(NearestName.edits(from: source, to: target) == edits)
    }
}
