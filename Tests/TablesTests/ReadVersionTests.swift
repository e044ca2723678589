import Tables
import Testing

@Suite struct `A version as proxies and SDKs leave it` {
    private static let version = Version(counter: 3_261)
    private static let forms = [
        "v", "\"v\"", "W/\"v\"", "W/v", "w/\"v\"", " W/\"v\"\t", "\"v-gzip\"", "\"v-br\"", "\"v--gzip\"", "\"v;gzip\"",
        "\"v-zstd\"", "\"v;gz;;;\"", "\"v\"-gzip", "\"v-gzip-gzip\"", "W/\"v-gzip\"", #""W/\"v\"""#, #""\"v\"""#,
        #""W/"v"""#, #"W/"W/\"v\"""#, #""\"v-gzip\"""#, #""W/\"v\"-gzip""#, #""W/\"W/\\\"v\\\"\"""#,
    ]

    @Test(arguments: forms) func `is read`(form: String) {
        let text = form.replacing("v", with: Self.version.wireText)
        #expect(Version(rewritten: text) == Self.version)
        #expect(Precondition(versionIn: text) == .version(Self.version))
    }

    @Test(arguments: [
        "", "\"", "W/", "W/\"\"", "\"v", "v\"", "W/\"v", "\"v-snappy\"", "\"v-\"x", "\"v\", \"v\"", "vv", "x-gzip",
        "\"gzip\"", "-gzip", "\"v\"x", "\"v=\"", "\"W\"/v",
    ])
    func `is not read out of anything else`(form: String) {
        let text = form.replacing("v", with: Self.version.wireText)
        #expect(Version(rewritten: text) == nil)
        #expect(Precondition(versionIn: text) == .unmatchable)
    }

    @Test func `no mark makes one version another`() {
        for counter: Int64 in [0, 1, 63, 64, 1 << 40, .max] {
            let version = Version(counter: counter)
            for form in Self.forms {
                #expect(Version(rewritten: form.replacing("v", with: version.wireText)) == version)
            }
        }
    }

    @Test func `a long text is no version, and costs nothing`() {
        #expect(Version(rewritten: String(repeating: "W/", count: 1 << 20) + Self.version.wireText) == nil)
    }
}
