import HTTPModel
import Testing

@testable import TableAPI

@Suite struct `Checking the API version` {
    private static func check(_ target: String, field: String? = nil, isRequired: Bool) throws {
        let target = Array(target.utf8)
        var fields = HTTPFields()
        if let field { fields.append("zumo-api-version", field) }
        let request = HTTPRequest(method: .get, target: target, fields: fields)
        try APIVersion.check(request, RequestTarget(target), isRequired: isRequired)
    }

    @Test(arguments: ["2.0.0", "2.0.1", "2.0.77", "2.1.0"])
    func `version 2 is served`(_ version: String) throws {
        #expect(throws: Never.self) { try Self.check("/tables/todo", field: version, isRequired: true) }
        #expect(throws: Never.self) {
            try Self.check("/tables/todo?ZUMO-API-VERSION=\(version)", isRequired: true)
        }
    }

    @Test(arguments: [
        "1.0.0", "22.0.0", "4.0.0", "apples", "2.0.0.0", "2.0", "1", "2", "", "2..0", "2.0.", "2.0.x", "-2.0.0",
        "2.0.٣",
    ])
    func `another version is refused, required or not`(_ version: String) {
        for isRequired in [true, false] {
            #expect { try Self.check("/tables/todo", field: version, isRequired: isRequired) } throws: {
                guard case .versionUnknown(version) = $0 as? RequestError else { return false }
                return true
            }
        }
    }

    @Test func `a missing version is refused where it is required`() {
        #expect(throws: Never.self) { try Self.check("/tables/todo", isRequired: false) }
        #expect { try Self.check("/tables/todo?version=2.0.0", isRequired: true) } throws: {
            guard case .versionMissing = $0 as? RequestError else { return false }
            return true
        }
    }

    @Test(arguments: ["ZUMO-API-VERSION", "zumo-api-version", "Zumo-Api-Version", "ZUMO%2DAPI-VERSION"])
    func `the name of the query member is in any case`(_ name: String) {
        #expect(throws: Never.self) { try Self.check("/tables/todo?a=b&\(name)=2.0.0", isRequired: true) }
    }

    @Test func `the header counts before the query`() {
        #expect(throws: Never.self) {
            try Self.check("/tables/todo?ZUMO-API-VERSION=apples", field: "2.0.0", isRequired: true)
        }
        #expect(throws: RequestError.self) {
            try Self.check("/tables/todo?ZUMO-API-VERSION=2.0.0", field: "apples", isRequired: true)
        }
    }
}
