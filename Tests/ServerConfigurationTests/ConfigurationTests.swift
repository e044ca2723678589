import ServerLogging
import Tables
import Testing
import ZumoProtocol

@testable import ServerConfiguration

@Suite("The configuration")
struct ConfigurationTests {
    @Test func `an empty directory means the built-in defaults`() throws {
        let configuration = try ConfigurationDirectory().read()
        #expect("\(configuration)" == "\(Configuration())")
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8_080)
        #expect(configuration.database == .sqlite(path: "data/zumod.sqlite3"))
    }

    @Test func `a file sets every key that this version has`() throws {
        let directory = try ConfigurationDirectory([
            "zumod.yaml": """
            host: 0.0.0.0
            port: 0
            database: { url: "sqlite::memory:" }
            publicUrl: https://api.example.com/base/
            generation: v2
            requireVersion: true
            pageSize: 20
            maxTop: 0
            autoCreateTables: true
            textComparison: ordinal
            devices: { record: false }
            limits:
              bodyBytes: 2048
              connections: 7
              addressConnections: 5
              keepAliveSeconds: 620
              bufferBytes: 2000000
              answerBytes: 4096
              pageBytes: 2048
              bodyBytesPerSecond: 100
              answerBytesPerSecond: 8192
              addressRequestsPerMinute: 600
              userRequestsPerMinute: 60
              clientColumns: 5
              clientTables: 0
            cors: { origins: [localhost, "https://*.example.com", "null"], maxAge: 7200 }
            log: { level: WARNING, format: json }
            """
        ])
        var expected = Configuration()
        expected.host = "0.0.0.0"
        expected.port = 0
        expected.database = .sqliteInMemory
        expected.publicURL = "https://api.example.com/base"
        expected.requireVersion = true
        expected.pageSize = 20
        expected.maxTop = 0
        expected.autoCreateTables = true
        expected.textComparison = .ordinal
        expected.recordsDevices = false
        expected.limits.bodyBytes = 2_048
        expected.limits.connections = 7
        expected.limits.addressConnections = 5
        expected.limits.keepAliveSeconds = 620
        expected.limits.bufferBytes = 2_000_000
        expected.limits.answerBytes = 4_096
        expected.limits.pageBytes = 2_048
        expected.limits.bodyBytesPerSecond = 100
        expected.limits.answerBytesPerSecond = 8_192
        expected.limits.addressRequestsPerMinute = 600
        expected.limits.userRequestsPerMinute = 60
        expected.limits.clients = ClientLimits(columns: 5, tables: 0)
        expected.cors.patterns = try ["localhost", "https://*.example.com", "null"].map {
            try #require(OriginPattern($0))
        }
        expected.cors.maxAge = 7_200
        expected.log.level = .warning
        expected.log.format = .json
        let configuration = try directory.read()
        #expect("\(configuration)" == "\(expected)")
    }

    @Test func `the environment names origins with commas between them`() throws {
        let directory = try ConfigurationDirectory(["zumod.yaml": "cors: { origins: [\"*\"] }"])
        let cors = try directory.read(environment: ["ZUMOD_CORS_ORIGINS": "localhost, https://a.example"]).cors
        #expect(!cors.allowsAll)
        #expect(cors.patterns == [OriginPattern("localhost"), OriginPattern("https://a.example")])
        #expect(try directory.read().cors.allowsAll)
    }

    @Test func `the environment names proxies and redirects with commas between them`() throws {
        let directory = try ConfigurationDirectory()
        let configuration = try directory.read(environment: [
            "ZUMOD_TRUSTED_PROXIES": "172.31.80.2, 10.0.0.0/8",
            "ZUMOD_AUTH_REDIRECTS": "myapp://easyauth.callback,https://app.example.com/*",
        ])
        for address in ["172.31.80.2", "10.9.9.9"] { #expect(configuration.trustedProxies.contain(address)) }
        #expect(!configuration.trustedProxies.contain("127.0.0.1"))
        #expect(configuration.auth.redirects == ["myapp://easyauth.callback", "https://app.example.com/*"])
    }

    /// The tables and APIs that everybody may use on a server that others reach.
    @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "api.example.com", "127.0.0.1", "localhost", "::1"])
    func `a definition without access is warned of where others reach the server`(host: String) throws {
        let directory = try ConfigurationDirectory([
            "zumod.yaml": "host: \"\(host)\"", "tables/Open.yaml": "softDelete: true",
            "tables/said.yaml": "access: anonymous",
            "tables/part.yaml": "read: { access: anonymous }", "tables/old.json": #"{"authorize":true}"#,
            "tables/mine.yaml": "perUser: true",
            "tables/every.yaml": Operation.allCases.map { "\($0.rawValue): { access: admin }\n" }.joined(),
            "apis/open.yaml": "kind: echo", "apis/said.yaml": "kind: echo\naccess: application",
        ])
        let warnings = try directory.read().warnings.map {
            $0.description.split(separator: "/").suffix(2).joined(separator: "/")
        }
        let advice = "is open to everybody who reaches this server; write `access: anonymous` if it is meant to be"
        let isExposed = !["127.0.0.1", "localhost", "::1"].contains(host)
        #expect(
            warnings
                == (isExposed
                    ? [
                        "tables/Open.yaml: access: is missing, so the table Open \(advice)",
                        "tables/part.yaml: access: is missing, so the table part \(advice)",
                        "apis/open.yaml: access: is missing, so the API open \(advice)",
                    ] : []))
        #expect(try directory.read(flags: [.init("--host", key: "host", value: "127.0.0.1")]).warnings.isEmpty)
    }

    @Test func `JSON is read as well as YAML`() throws {
        let directory = try ConfigurationDirectory([
            "zumod.yaml": "{\n\t\"port\": 81,\n\t\"log\": {\"level\": \"debug\"}\n}"
        ])
        #expect(try directory.read().port == 81)
        #expect(try directory.read().log.level == .debug)
    }

    @Test func `a flag beats the environment, which beats the file`() throws {
        let directory = try ConfigurationDirectory(["zumod.yaml": "port: 1\npageSize: 1\nmaxTop: 1\n"])
        let configuration = try directory.read(
            environment: ["ZUMOD_PORT": "2", "ZUMOD_PAGE_SIZE": "2"],
            flags: [ConfigurationSources.Flag("--port", key: "port", value: "3")])
        #expect(configuration.port == 3)
        #expect(configuration.pageSize == 2)
        #expect(configuration.maxTop == 1)
    }

    @Test(arguments: [
        ("host", "ZUMOD_HOST"), ("database.url", "ZUMOD_DATABASE_URL"), ("auth.signingKey", "ZUMOD_AUTH_SIGNING_KEY"),
        ("autoCreateTables", "ZUMOD_AUTO_CREATE_TABLES"), ("limits.bodyBytes", "ZUMOD_LIMITS_BODY_BYTES"),
    ])
    func `a key's name in the environment follows from the key`(key: String, variable: String) throws {
        #expect(try #require(Setting.named(key)).variable == variable)
    }

    @Test func `empty values and empty variables are as if absent`() throws {
        let directory = try ConfigurationDirectory(["zumod.yaml": "port:\nlog:\nhost: ~\n"])
        let configuration = try directory.read(environment: ["ZUMOD_PORT": "", "PATH": "/bin"])
        #expect("\(configuration)" == "\(Configuration())")
    }

    @Test func `a secret can come from a file`() throws {
        let directory = try ConfigurationDirectory(["secrets/url": "sqlite:elsewhere.db\n"])
        let configuration = try directory.read(
            environment: ["ZUMOD_DATABASE_URL_FILE": "\(directory.path)/secrets/url"])
        #expect(configuration.database == .sqlite(path: "elsewhere.db"))
    }

    @Test func `a secret's file that is missing or empty, or stands beside the value, is an error`() throws {
        let directory = try ConfigurationDirectory(["secrets/empty": "\n"])
        #expect(
            directory.faults(environment: ["ZUMOD_DATABASE_URL_FILE": "\(directory.path)/secrets/none"])
                == ["environment ZUMOD_DATABASE_URL_FILE: database.url: names a file that can't be read"])
        #expect(
            directory.faults(environment: ["ZUMOD_DATABASE_URL_FILE": "\(directory.path)/secrets/empty"])
                == ["environment ZUMOD_DATABASE_URL_FILE: database.url: names a file that is empty"])
        #expect(
            directory.faults(environment: ["ZUMOD_DATABASE_URL": "sqlite:a", "ZUMOD_DATABASE_URL_FILE": "b"])
                == ["environment ZUMOD_DATABASE_URL: database.url: is set, and so is ZUMOD_DATABASE_URL_FILE; keep one"]
        )
    }

    @Test(arguments: [
        ("postgresql://me:se@cret@db/app", false), ("postgresql://me:se/cret@db/app", false),
        ("postgresql://me:se?cret@db/app", false), ("postgresql://me:secret@db/app@x", false),
        ("postgresql://me:secret@db1:5432,db2/app", true), ("postgresql://me:se%40cret@db", true),
        ("postgresql:///app?host=/run/postgresql&user=me@there", true), ("postgresql://me@db/app?password=a@b", true),
        ("postgres://db", true), ("postgresql://me:se#c:ret@[::1]:5432/app", true),
    ])
    func `a URL whose password can't be told from the rest is refused`(url: String, isGood: Bool) throws {
        let faults = try ConfigurationDirectory.faults(in: "database: { url: '\(url)' }")
        let sentence =
            "has a password that can't be told from what follows: in it @ is written as %40, / as %2F, ? as %3F and % as %25"
        #expect(faults == (isGood ? [] : ["zumod.yaml:1: database.url: \(sentence)"]))
    }

    @Test func `the database's text is never repeated, for it may hold a password`() throws {
        let faults = try ConfigurationDirectory.faults(in: "database: { url: \"mysql://me:secret@db\" }")
        #expect(faults == ["zumod.yaml:1: database.url: has to be sqlite:PATH, sqlite::memory: or postgresql://…"])
    }

    @Test(arguments: [
        (
            "aaa-short",
            [":1: auth.signingKey: is a key of 9 bytes, read as text; one under 32 can be guessed from a token"]
        ),
        (
            "cafe",
            [":1: auth.signingKey: is a key of 2 bytes, read as hexadecimal; one under 32 can be guessed from a token"]
        ),
        (String(repeating: "k", count: 33), []),
    ])
    func `a signing key that can be guessed is told`(key: String, warnings: [String]) throws {
        let directory = try ConfigurationDirectory(["zumod.yaml": "auth: { signingKey: \(key) }"])
        let found = try directory.read().warnings.map(\.description)
        #expect(found.map { $0.replacing("\(directory.path)/zumod.yaml", with: "") } == warnings)
        let strong = ["ZUMOD_AUTH_SIGNING_KEY": String(repeating: "k", count: 33)]
        #expect(try directory.read(environment: strong).warnings.isEmpty)
    }

    @Test(arguments: [
        ("auth: { signingKey: aaa-short }", "auth.signingKey: is a key of 9 bytes, read as text"),
        ("auth: { masterKey: master }", "auth.masterKey: is a key of 6 bytes; one under 16 can be guessed"),
        ("auth: { applicationKey: app }", "auth.applicationKey: is a key of 3 bytes; one under 16 can be guessed"),
        ("trustedProxies: [ 10.0.0.1, 0.0.0.0/0 ]", "trustedProxies: trusts everybody"),
        ("trustedProxies: [ \"::/0\" ]", "trustedProxies: trusts everybody"),
        ("trustedProxies: [ 0.0.0.0/1, 128.0.0.0/1 ]", "trustedProxies: trusts everybody"),
        ("trustedProxies: [ 10.0.0.0/7 ]", "trustedProxies: trusts everybody"),
        ("trustedProxies: [ \"::ffff:0.0.0.0/103\" ]", "trustedProxies: trusts everybody"),
        ("trustedProxies: [ \"::/64\" ]", "trustedProxies: trusts everybody"),
        ("trustedProxies: [ \"2000::/6\" ]", "trustedProxies: trusts everybody"),
    ])
    func `what is weak is a warning on this machine, and an error where others reach the server`(
        line: String, words: String
    ) throws {
        let directory = try ConfigurationDirectory(["zumod.yaml": line])
        let warnings = try directory.read().warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.description.contains(words) == true)
        let faults = directory.faults(flags: [.init("--host", key: "host", value: "0.0.0.0")])
        #expect(faults.count == 1)
        #expect(faults.first?.contains(words) == true)
    }

    /// What is configured beside a short key on this machine's own address, and whether others are meant to come.
    @Test(arguments: [
        ("publicUrl: https://api.example.com", true), ("publicUrl: https://user@api.example.com:8443/base", true),
        ("publicUrl: http://localhost:8080", false), ("publicUrl: \"http://[::1]:8080\"", false),
        ("page: { enabled: true }", true), ("page: { enabled: false }", false), ("trustedProxies: [ 127.0.0.1 ]", true),
        ("port: 8081", false),
    ])
    func `keys that can be guessed are an error where a proxy lets others in`(line: String, isError: Bool) throws {
        for key in ["signingKey", "masterKey", "applicationKey"] {
            let directory = try ConfigurationDirectory([
                "zumod.yaml": "\(line)\nauth: { \(key): short }", "tables/open.yaml": "softDelete: true",
            ])
            let faults = directory.faults()
            #expect(faults.count == (isError ? 1 : 0), "\(faults)")
            #expect(!isError || faults.first?.contains("others than this machine reach the server") == true)
            let strong = [
                "ZUMOD_AUTH_\(key == "signingKey" ? "SIGNING_KEY" : key == "masterKey" ? "MASTER_KEY" : "APPLICATION_KEY")":
                    String(repeating: "k", count: 33)
            ]
            // An open table is warned of as where the server listens to others itself.
            #expect(try directory.read(environment: strong).warnings.count == (isError ? 1 : 0))
        }
    }

    @Test func `keys that are long enough, and networks that are not everybody's, are not weak`() throws {
        let lines = """
            host: 0.0.0.0
            trustedProxies: [ 10.0.0.0/8, "2001:db8::/32", "fc00::/7", "::ffff:10.0.0.0/104", "::1" ]
            auth:
              signingKey: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
              masterKey: 0123456789abcdef
              applicationKey: fedcba9876543210
            """
        #expect(try ConfigurationDirectory(["zumod.yaml": lines]).read().warnings.isEmpty)
    }

    @Test(arguments: [
        ("https://app.example/*", true), ("https://app.example/back", true), ("myapp://*", true),
        ("https://app.example*", false), ("https://*", false), ("HTTP://localhost:*", false),
        ("http://localhost:3000*", false), ("https:///*", false), ("http://127.0.0.1/back", true),
        ("com.example.app:/back", true), ("https://app.example@evil.example/back", false), ("myapp://a@b", false),
        ("https://app.example/@ann", true),
    ])
    func `where users are sent with a token, the whole host is named`(_ url: String, _ isGood: Bool) throws {
        let key = "signingKey: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
        let faults = try ConfigurationDirectory.faults(in: "auth: { \(key), redirects: [ \"\(url)\" ] }")
        #expect(faults.isEmpty == isGood)
    }
}
