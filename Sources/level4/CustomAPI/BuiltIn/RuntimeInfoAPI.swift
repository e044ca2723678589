import HTTPModel
import JSONText

/// Tells the suites what the server can do, by which they choose their tests.
enum RuntimeInfoAPI {
    static func define(_ api: inout APIDefinition, version: String) {
        api.get { _ in
            .json([
                "runtime": ["type": "node.js", "version": .string(version)],
                "features": [
                    "intIdTables": true, "stringIdTables": true,
                    // Registrations are kept, and nothing is sent.
                    "nhPushEnabled": false,
                    "queryExpandSupport": false, "userEnabled": false, "liveSDKLogin": false,
                    "azureActiveDirectoryLogin": false, "singleSignOnLogin": false, "stringReplace": true,
                    "nodeRuntimeOnly": true, "dotNetRuntimeOnly": false,
                ],
            ])
        }
    }
}
