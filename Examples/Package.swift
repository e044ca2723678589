// swift-tools-version: 6.2

import PackageDescription

// Programs of your own that build on the server. Copy one, and name the repository instead of the path.
let package = Package(
    name: "Examples",
    dependencies: [.package(name: "zumod", path: "..")],
    targets: [
        .executableTarget(name: "GreetingAPI", dependencies: [.product(name: "ZumodServer", package: "zumod")]),
        .executableTarget(name: "OwnedItems", dependencies: [.product(name: "ZumodServer", package: "zumod")]),
        .executableTarget(name: "ServerWatch", dependencies: [.product(name: "ZumodServer", package: "zumod")]),
    ]
)
