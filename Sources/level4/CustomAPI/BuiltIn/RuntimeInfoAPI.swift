import HTTPModel
import JSONText

/// Reports the server's features, by which the suites choose their tests.
enum RuntimeInfoAPI {
    static func define(_ api: inout APIDefinition, version: String) {
        api.get { _ in
            .json([
                "runtime": ["type": "node.js", "version": .string(version)],
                "features": [
                    "intIdTables": true, "stringIdTables": true,
                    // Registrations are stored, but nothing is sent.
                    "nhPushEnabled": false,
                    "queryExpandSupport": false, "userEnabled": false, "liveSDKLogin": false,
                    "azureActiveDirectoryLogin": false, "singleSignOnLogin": false, "stringReplace": true,
                    "nodeRuntimeOnly": true, "dotNetRuntimeOnly": false,
                ],
            ])
        }
    }
}
