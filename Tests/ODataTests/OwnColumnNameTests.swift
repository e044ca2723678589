import Testing

@testable import OData

@Suite struct `Columns of an app's own by names of the server's` {
    @Test(arguments: ["createdAt", "UPDATEDAT", "version", "Deleted"])
    func `have one name here for one in Mobile Services`(_ name: String) {
        #expect(OwnColumnName.column(inServices: name) == "__own_\(name)")
        #expect(OwnColumnName.nameInServices(of: "__own_\(name)") == name)
        #expect(OwnColumnName.nameInServices(of: "__OWN_\(name)") == name)
    }

    @Test(arguments: [
        "id", "text", "versions", "created_at", "__version", "own_version", "__own_id", "__own_", "", "__own_versions",
    ])
    func `are no others`(_ name: String) {
        #expect(OwnColumnName.column(inServices: name) == nil && OwnColumnName.nameInServices(of: name) == nil)
    }

    @Test func `are found in a filter, an order and a selection of v1 alone`() throws {
        let text = "createdAt gt Version and __updatedAt eq 'deleted'"
        func filter(_ language: QueryLanguage) throws -> String? {
            try QueryOptions.parse([("$filter", text)], language: language).filter?.outline
        }
        #expect(try filter(.services) == "(and (gt __own_createdAt __own_Version) (eq updatedAt ‘deleted’))")
        #expect(try filter(.apps) == "(and (gt createdAt Version) (eq __updatedAt ‘deleted’))")
        let options = try QueryOptions.parse(
            [("$orderby", "deleted desc"), ("$select", "version,__version")], language: .services)
        #expect(options.order.map(\.expression.outline) == ["__own_deleted"])
        #expect(options.select?.map(\.name) == ["__own_version", "version"])
    }

    @Test func `are called in sentences as their clients know them`() {
        #expect(
            OwnColumnName.wordsInServices("`__own_createdAt` and '__own_VERSION' and __own_versions")
                == "`createdAt` and 'VERSION' and __own_versions")
    }
}
