// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what only measures is no part of what is built and tested.
let package = Package(
    name: "zumod-benchmarks",
    dependencies: [.package(name: "zumod", path: "..")],
    targets: [
        .executableTarget(
            name: "zumod-benchmarks", dependencies: [.product(name: "ZumodParts", package: "zumod")], path: "Sources",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .strictMemorySafety(),
            ])
    ]
)
