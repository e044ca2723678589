// swift-tools-version: 6.2

import PackageDescription

// One array for every target: the walls between targets and the strictness inside them are the same everywhere.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
]

func library(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, uses dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let level0: [Target] = [
    library("HTTPModel"),
    library("OData"),
    .systemLibrary(name: "CSockets"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
]

let level1: [Target] = [
    library("Tables", uses: ["OData"])
]

let level2: [Target] = [
    library("TableSQL", uses: ["Tables", "OData"])
]

let suites: [Target] = [
    tests("ODataTests", uses: ["OData"]),
    tests("TableSQLTests", uses: ["TableSQL", "Tables", "OData"]),

]

let package = Package(
    name: "zumod",
    targets: level0 + level1 + level2 + suites
)
