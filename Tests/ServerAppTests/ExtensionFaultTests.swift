import Access
import CustomAPI
import Tables
import Testing

@testable import ServerApp
@testable import ServerConfiguration

@Suite("A program's extensions")
struct ExtensionFaultTests {
    @Test func `an API or a hook that doesn't fit the configuration is a fault`() throws {
        var configuration = Configuration()
        configuration.apis = [ConfiguredAPI(name: "a", kind: .echo, access: .anonymous, accessPerVerb: [:])]
        configuration.tables = [TableDefinition(name: try #require(Identifier("t")))]
        var extensions = Extensions()
        extensions.api("A") { $0.get { _ in .empty() } }
        extensions.table("t") { _ in }
        extensions.table("none") { _ in }
        let faults = Application(configuration, extensions: extensions).extensionFaults
        #expect(
            faults == [
                "the API A is in the configuration and in the program",
                "there is no table none for the program's hooks",
            ])
    }
}
