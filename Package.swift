// swift-tools-version: 6.2

import PackageDescription

// One array for every target: the walls between targets and the strictness inside them are the same everywhere.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
]

// `make test` compiles each target as a whole, its interface not once more before that, which takes a third less than file by
// file, and has what it calculates most in optimized, with its assertions: unoptimized, the tests take twice as long.
let forTests = Context.environment["ZUMOD_TESTS"] != nil
let busy: Set = [
    "ByteText", "Exchanges", "HTTPModel", "HTTPServer", "JSONText", "OData", "RouteDescription", "Scalars", "TableSQL",
    "Tables", "WorkThreads",
    "PostgresTesting", "SeedTesting", "SyncTesting", "TokenTesting", "WireTesting",
]

func settings(of name: String) -> [SwiftSetting] {
    guard forTests else { return strict }
    let optimized = busy.contains(name) ? ["-O", "-assert-config", "Debug"] : []
    let whole = ["-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2"]
    return strict + [.unsafeFlags(whole + optimized)]
}

func library(
    _ name: String, uses dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources,
        swiftSettings: settings(of: name))
}

func tests(_ name: String, uses dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings(of: name))
}

let level0: [Target] = [
    library("Arguments"),
    library("ByteText"),
    library("HTTPModel", uses: ["ByteText"]),
    library("OData", uses: ["ByteText", "Scalars"]),
    library("Scalars"),
    library("JSONText", uses: ["ByteText"]),
    library("Platform", uses: ["CSockets"]),
    library("MetricSeries"),
    library("WorkThreads", uses: ["ByteText"]),
    .systemLibrary(name: "CSockets"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    library("Gzip", uses: ["CZlib"]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    library("Cryptography", uses: ["COpenSSL"]),
    library("TLS", uses: ["COpenSSL"]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // Files that the C compiler embeds: Swift takes minutes for as many bytes.
    .target(name: "PageAssets"),
    .target(name: "WorkerAssets"),
    .target(name: "SchemaFiles"),
]

let level1: [Target] = [
    library("CurlClient", uses: ["HTTPModel", "WorkThreads"]),
    library("Exchanges", uses: ["ByteText", "HTTPModel", "JSONText", "Scalars"]),
    library("RouteDescription", uses: ["HTTPModel", "JSONText"]),
    library("Tables", uses: ["ByteText", "JSONText", "OData", "Platform", "Scalars"]),
]

let level2: [Target] = [
    library(
        "TableSQL", uses: ["ByteText", "Scalars", "SchemaFiles", "Tables", "OData"], exclude: ["TextOrder/letters.txt"]),
    library("ContinuationTokens", uses: ["ByteText", "Cryptography", "Gzip", "Scalars", "Tables", "OData"]),
    library("StoreMetrics", uses: ["MetricSeries", "Tables"]),
    library("Access", uses: ["ByteText", "Cryptography", "Tables", "JSONText"]),
    library("Operating", uses: ["Platform", "Tables"]),
]

// What callers may do with rows, and what the edges share.
let level3: [Target] = [
    library("TransactSQL", uses: ["ByteText", "OData", "Scalars", "TableSQL", "Tables"]),
    library(
        "TableOperations",
        uses: ["Access", "ByteText", "HTTPModel", "JSONText", "OData", "Scalars", "Tables", "WorkThreads"]),
    library(
        "ZumoProtocol",
        uses: [
            "Access", "ByteText", "HTTPModel", "JSONText", "Platform", "RouteDescription", "Tables", "WorkThreads",
        ]),
]

// The edges. They never import each other.
let level4: [Target] = [
    library("HTTPServer", uses: ["ByteText", "Gzip", "HTTPModel", "MetricSeries", "Platform", "TLS", "WorkThreads"]),
    library(
        "AuthAPI",
        uses: [
            "Access", "ByteText", "HTTPModel", "JSONText", "RouteDescription", "Scalars", "Tables", "WorkThreads",
            "ZumoProtocol",
        ]),
    library(
        "Webhooks",
        uses: [
            "ByteText", "Cryptography", "HTTPModel", "JSONText", "Platform", "Scalars", "TLS", "TableOperations",
            "Tables", "WorkThreads", "MetricSeries",
        ]),
    library(
        "CustomAPI",
        uses: [
            "Access", "ByteText", "HTTPModel", "JSONText", "RouteDescription", "Scalars", "TableOperations", "Tables",
            "ZumoProtocol",
        ]),
    library(
        "AdminAPI",
        uses: ["Access", "Cryptography", "HTTPModel", "JSONText", "RouteDescription", "Tables", "ZumoProtocol"]),
    library(
        "SQLiteStorage",
        uses: [
            "ByteText", "Scalars", "StoreMetrics", "TableSQL", "Tables", "OData", "Platform", "TransactSQL",
            "WorkThreads", "CSQLite",
        ]),
    library(
        "PostgresStorage",
        uses: [
            "ByteText", "Scalars", "StoreMetrics", "TableSQL", "Tables", "OData", "Platform", "TransactSQL",
            "WorkThreads", "CPostgres",
        ]),
    library(
        "TableAPI",
        uses: [
            "Access", "ByteText", "ContinuationTokens", "Cryptography", "HTTPModel", "OData", "RouteDescription",
            "Scalars", "TableOperations", "Tables", "JSONText", "ZumoProtocol",
        ]),
    library(
        "DataPage",
        uses: [
            "Access", "ByteText", "Cryptography", "Exchanges", "HTTPModel", "JSONText", "PageAssets", "Scalars",
            "Tables", "ZumoProtocol",
        ], exclude: ["Assets"]),
    library(
        "Scripts",
        uses: [
            "Access", "ByteText", "HTTPModel", "JSONText", "OData", "Platform", "Scalars", "TableOperations", "Tables",
            "WorkThreads", "WorkerAssets",
        ], exclude: ["Worker"]),
    library(
        "ServerLogging",
        uses: [
            "Access", "ByteText", "Exchanges", "HTTPModel", "Platform", "Scalars", "StoreMetrics", "Tables",
            "WorkThreads",
            "ZumoProtocol",
        ]),
    library(
        "ServerMetrics",
        uses: ["HTTPModel", "MetricSeries", "Platform", "Scalars", "StoreMetrics", "Tables", "ZumoProtocol"]),
    library("DeviceRecording", uses: ["HTTPModel", "Scalars", "Tables", "ZumoProtocol"]),
    library("Conformance", uses: ["CurlClient", "HTTPModel", "JSONText", "Operating"]),
    library(
        "Transfer",
        uses: ["CurlClient", "HTTPModel", "JSONText", "OData", "Operating", "Platform", "Scalars", "Tables"]),
]

let level5: [Target] = [
    library(
        "ServerConfiguration",
        uses: [
            "Access", "ByteText", "Cryptography", "CustomAPI", "JSONText", "OData", "Operating", "Platform", "Scalars",
            "Scripts", "ServerLogging", "TLS", "TableOperations", "TableSQL", "Tables", "Webhooks", "ZumoProtocol",
            "CLibYAML",
        ], resources: [.embedInCode("Sample/zumod.yaml"), .embedInCode("Sample/TodoItem.yaml")])
]

// The one place that puts all edges together.
let level6: [Target] = [
    library(
        "ServerApp",
        uses: [
            "Access", "AdminAPI", "AuthAPI", "ByteText", "CustomAPI", "DataPage", "DeviceRecording", "Exchanges",
            "HTTPModel", "HTTPServer", "JSONText", "OData", "Operating", "Platform", "PostgresStorage", "Scalars",
            "ServerLogging", "ServerMetrics", "SQLiteStorage", "Scripts", "ServerConfiguration", "StoreMetrics",
            "TableAPI", "TableOperations", "TLS", "TableSQL", "Tables", "TransactSQL", "Transfer", "Webhooks",
            "ZumoProtocol", "MetricSeries",
        ])
]

let level7: [Target] = [
    library(
        "TestMode",
        uses: [
            "ByteText", "CustomAPI", "Exchanges", "HTTPModel", "HTTPServer", "JSONText", "MetricSeries", "Operating",
            "PostgresStorage", "Scalars", "ServerApp", "ServerConfiguration", "ServerLogging", "ServerMetrics",
            "SQLiteStorage", "StoreMetrics", "TableOperations", "Tables", "Webhooks", "WorkThreads", "ZumoProtocol",
        ]),
    library(
        "ZumodServer",
        uses: [
            "Access", "CustomAPI", "HTTPModel", "JSONText", "MetricSeries", "Operating", "Scalars", "ServerApp",
            "ServerConfiguration", "ServerLogging", "TableOperations", "Tables",
        ]),
]

let level8: [Target] = [
    .executableTarget(
        name: "zumod",
        dependencies: [
            "Arguments", "Conformance", "CurlClient", "Operating", "Platform", "ServerApp", "ServerConfiguration",
            "TestMode", "Transfer",
        ],
        swiftSettings: settings(of: "zumod"))
]

// The examples as their own package has them, but for the programs' one line, so that every test run compiles them.
let examples: [Target] = [
    .target(
        name: "GreetingAPI", dependencies: ["ZumodServer"], path: "Examples/Sources/GreetingAPI",
        exclude: ["main.swift"]),
    .target(
        name: "ServerWatch", dependencies: ["ZumodServer"], path: "Examples/Sources/ServerWatch",
        exclude: ["main.swift"]),
    .target(
        name: "OwnedItems", dependencies: ["ZumodServer"], path: "Examples/Sources/OwnedItems",
        exclude: ["main.swift"]),
]

// In no product: what several test targets share.
let testKits: [Target] = [
    .target(
        name: "PostgresTesting", dependencies: ["CPostgres", "Platform"], path: "Tests/PostgresTesting",
        swiftSettings: settings(of: "PostgresTesting")),
    .target(name: "SeedTesting", path: "Tests/SeedTesting", swiftSettings: settings(of: "SeedTesting")),
    .target(
        name: "StorageTesting", dependencies: ["Scalars", "Tables", "OData", "SeedTesting", "WireTesting"],
        path: "Tests/StorageTesting", swiftSettings: settings(of: "StorageTesting")),
    .target(
        name: "TokenTesting", dependencies: ["Access", "ByteText", "COpenSSL", "Cryptography"],
        path: "Tests/TokenTesting", swiftSettings: settings(of: "TokenTesting")),
    .target(
        name: "WireTesting", dependencies: ["HTTPModel", "HTTPServer", "Platform"], path: "Tests/WireTesting",
        swiftSettings: settings(of: "WireTesting")),
    .target(
        name: "SyncTesting", dependencies: ["Gzip", "JSONText", "WireTesting"], path: "Tests/SyncTesting",
        swiftSettings: settings(of: "SyncTesting")),
]

let suites: [Target] = [
    tests("AccessTests", uses: ["Access", "ByteText", "Cryptography", "Tables", "TokenTesting"]),
    tests("ArgumentsTests", uses: ["Arguments"]),
    tests("AuthAPITests", uses: ["Access", "AuthAPI", "HTTPModel", "Tables", "ZumoProtocol"]),
    tests("ByteTextTests", uses: ["ByteText"]),
    tests(
        "DataPageTests",
        uses: ["ByteText", "DataPage", "Exchanges", "HTTPModel", "JSONText", "Scalars", "Tables", "ZumoProtocol"]),
    tests("ConformanceTests", uses: ["Conformance", "CurlClient", "HTTPModel", "JSONText"]),
    tests("AdminAPITests", uses: ["Access", "AdminAPI", "HTTPModel", "JSONText", "OData", "Tables", "ZumoProtocol"]),
    tests("ArchitectureTests", uses: []),
    tests("CryptographyTests", uses: ["ByteText", "COpenSSL", "Cryptography", "TokenTesting"]),
    tests("ContinuationTokensTests", uses: ["ByteText", "ContinuationTokens", "Scalars", "Tables", "OData"]),
    tests("CustomAPITests", uses: ["CustomAPI", "HTTPModel", "JSONText", "TableOperations", "Tables"]),
    tests(
        "DaemonTests",
        uses: [
            "zumod", "Gzip", "HTTPModel", "JSONText", "Platform", "PostgresTesting", "SeedTesting", "SyncTesting",
            "TokenTesting", "WireTesting", "CSQLite",
        ], exclude: ["Golden"]),
    tests("HTTPModelTests", uses: ["HTTPModel"]),
    tests("GzipTests", uses: ["Gzip"]),
    tests(
        "HTTPServerTests",
        uses: ["Gzip", "HTTPServer", "HTTPModel", "Platform", "SeedTesting", "TLS", "WireTesting", "WorkThreads"]),
    tests("JSONTextTests", uses: ["JSONText"]),
    tests("ODataTests", uses: ["OData", "Scalars", "SeedTesting"]),
    tests("ScalarsTests", uses: ["Scalars"]),
    tests(
        "ServerAppTests",
        uses: [
            "Access", "CustomAPI", "DataPage", "MetricSeries", "Scalars", "ServerApp", "ServerConfiguration",
            "HTTPModel", "RouteDescription", "SQLiteStorage", "Scripts", "SeedTesting", "ServerLogging",
            "ServerMetrics", "TableAPI", "TableOperations", "Tables", "WireTesting", "ZumoProtocol",
        ]),
    tests(
        "ServerLoggingTests",
        uses: ["Access", "HTTPModel", "Platform", "ServerLogging", "WireTesting", "ZumoProtocol"]),
    tests("ServerMetricsTests", uses: ["HTTPModel", "ServerMetrics", "SQLiteStorage", "Tables", "ZumoProtocol"]),
    tests("DeviceRecordingTests", uses: ["DeviceRecording", "HTTPModel", "Scalars", "Tables", "ZumoProtocol"]),
    tests(
        "ServerConfigurationTests",
        uses: [
            "Access", "CustomAPI", "OData", "Scalars", "ServerConfiguration", "ServerLogging", "TableOperations",
            "Tables", "TokenTesting", "Webhooks", "ZumoProtocol",
        ], exclude: ["Golden"]),
    tests("MetricSeriesTests", uses: ["MetricSeries", "WireTesting"]),
    tests("PlatformTests", uses: ["Platform"]),
    tests("TLSTests", uses: ["COpenSSL", "TLS"]),
    tests(
        "PostgresStorageTests",
        uses: [
            "PostgresStorage", "PostgresTesting", "Scalars", "SQLiteStorage", "SeedTesting", "StorageTesting",
            "WireTesting", "TableSQL", "Tables", "OData",
        ]),
    tests(
        "SQLiteStorageTests",
        uses: [
            "Scalars", "SQLiteStorage", "SeedTesting", "StorageTesting", "TableSQL", "Tables", "OData", "CSQLite",
            "Platform", "StoreMetrics", "WireTesting", "WorkThreads",
        ]),
    tests(
        "ScriptsTests",
        uses: [
            "Access", "ByteText", "HTTPModel", "JSONText", "OData", "Scalars", "Scripts", "SeedTesting",
            "TableOperations", "Tables", "WireTesting",
        ]),
    tests("StorageTestingTests", uses: ["Scalars", "StorageTesting", "Tables", "OData"]),
    tests(
        "TableAPITests",
        uses: [
            "Scalars", "TableAPI", "Access", "ByteText", "HTTPModel", "OData", "TableOperations", "Tables", "JSONText",
            "ZumoProtocol",
        ]),
    tests(
        "TableOperationsTests",
        uses: ["Scalars", "TableOperations", "Access", "HTTPModel", "Tables", "OData", "StorageTesting"]),
    tests("TableSQLTests", uses: ["ByteText", "Scalars", "SeedTesting", "TableSQL", "Tables", "OData"]),
    tests("TransactSQLTests", uses: ["Scalars", "SeedTesting", "TableSQL", "Tables", "TransactSQL"]),
    tests("TablesTests", uses: ["ByteText", "Scalars", "StorageTesting", "Tables", "OData"]),
    tests("TestModeTests", uses: ["Exchanges", "HTTPModel", "JSONText", "Scalars", "TestMode"]),
    tests(
        "TransferTests",
        uses: [
            "CurlClient", "HTTPModel", "HTTPServer", "JSONText", "Operating", "Platform", "Scalars", "SQLiteStorage",
            "Tables", "Transfer", "WireTesting",
        ]),
    tests(
        "WebhooksTests",
        uses: ["Scalars", "Webhooks", "HTTPModel", "JSONText", "Platform", "TableOperations", "Tables", "WireTesting"]),
    tests("WorkThreadsTests", uses: ["ByteText", "SeedTesting", "WireTesting", "WorkThreads"]),
    tests("ZumoProtocolTests", uses: ["Access", "ZumoProtocol", "HTTPModel"]),
    tests(
        "WireTests",
        uses: [
            "Access", "Conformance", "CurlClient", "CustomAPI", "DataPage", "DeviceRecording", "Exchanges", "Gzip",
            "HTTPModel", "HTTPServer", "MetricSeries", "Platform", "PostgresTesting", "Scalars", "SeedTesting",
            "ServerApp", "ServerConfiguration", "Scripts", "ServerLogging", "ServerMetrics", "StoreMetrics",
            "SyncTesting", "TestMode", "TokenTesting", "WireTesting", "Tables", "Webhooks", "JSONText", "GreetingAPI",
            "ServerWatch", "OwnedItems", "RouteDescription", "ZumodServer", "ZumoProtocol",
        ], exclude: ["Fixture", "Golden", "ScriptCases"]),
]

// The targets of a level lie in its folder.
let levels = [level0, level1, level2, level3, level4, level5, level6, level7, level8]
for (number, level) in levels.enumerated() {
    for target in level where target.path == nil { target.path = "Sources/level\(number)/\(target.name)" }
}

let package = Package(
    name: "zumod",
    // The newest one, so that nothing is missing in its standard library. It was not tried.
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "zumod", targets: ["zumod"]),
        .library(name: "ZumodServer", targets: ["ZumodServer"]),
        // For the package in Benchmarks.
        .library(
            name: "ZumodParts",
            targets: ["HTTPModel", "JSONText", "OData", "Scalars", "SQLiteStorage", "TableSQL", "Tables"]),
    ],
    targets: levels.flatMap(\.self) + examples + testKits
        + suites
)

// `make test TARGET=OData` builds one suite, and of the rest what that imports.
if let suites = Context.environment["ZUMOD_TEST_TARGET"] {
    var wanted: Set<String> = []
    var left = suites.split(separator: " ").map(String.init)
    while let name = left.popLast() {
        guard wanted.insert(name).inserted else { continue }
        for target in package.targets where target.name == name {
            for case .byNameItem(let name, _) in target.dependencies { left.append(name) }
        }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products.removeAll()
}
