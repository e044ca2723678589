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
    library("JSONText"),
    .systemLibrary(name: "CSockets"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
        name: "SQLiteMigrations", path: "Migrations/sqlite", resources: [.embedInCode("0001-foundation.sql")],
        swiftSettings: strict),
    .target(
        name: "PostgresMigrations", path: "Migrations/postgres",
        resources: [.embedInCode("0001-foundation.sql"), .embedInCode("0002-query-functions.sql")],
        swiftSettings: strict),
]

let level1: [Target] = [
    library("Tables", uses: ["OData"])
]

let level2: [Target] = [
    library("TableSQL", uses: ["Tables", "OData"])
]

let level3: [Target] = [
    library("SQLiteStorage", uses: ["TableSQL", "Tables", "OData", "CSQLite", "SQLiteMigrations"]),
    library("PostgresStorage", uses: ["TableSQL", "Tables", "OData", "CPostgres", "PostgresMigrations"]),
    library("TableAPI", uses: ["HTTPModel", "OData", "Tables", "JSONText"]),
]

// In no product: what several test targets share.
let testKits: [Target] = [
    .target(
        name: "StorageTesting", dependencies: ["Tables", "OData"], path: "Tests/StorageTesting", swiftSettings: strict),
    .target(name: "WireTesting", dependencies: ["CSockets"], path: "Tests/WireTesting", swiftSettings: strict),
]

let suites: [Target] = [
    tests("ODataTests", uses: ["OData"]),
    tests("TableSQLTests", uses: ["TableSQL", "Tables", "OData"]),
    tests("SQLiteMigrationsTests", uses: ["SQLiteMigrations"]),
    tests("SQLiteStorageTests", uses: ["SQLiteStorage", "StorageTesting", "Tables", "OData", "CSQLite"]),
    tests("PostgresMigrationsTests", uses: ["PostgresMigrations"]),
    tests(
        "PostgresStorageTests",
        uses: ["PostgresStorage", "StorageTesting", "TableSQL", "Tables", "OData", "CPostgres"]),
]

let package = Package(
    name: "zumod",
    targets: level0 + level1 + level2 + level3 + testKits + suites
)
