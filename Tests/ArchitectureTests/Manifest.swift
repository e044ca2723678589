import Foundation

/// The targets of the manifest with what each may import: the build checks that for libraries only, and lets a
/// dependency's dependency through.
struct Manifest {
    struct Target {
        let name: String
        let folder: String
        let dependencies: Set<String>
    }

    let targets: [Target]
    /// The modules of other packages, by the names that the manifest gives them.
    private let products: [String: String]

    /// Reads the text of `Package.swift`: every call of `library`, `tests`, `.target` and `.executableTarget`.
    init(_ text: String) {
        let calls = text.matches(of: /(library|tests|\.target|\.executableTarget)\(\s*(?:name: )?"(\w+)"([^)]*)\)/)
        let names = text.matches(of: /let (\w+) = Target\.Dependency\.(?:product|target)\(name: "(\w+)"/)
        let products = Dictionary(
            names.map { (String($0.output.1), String($0.output.2)) }, uniquingKeysWith: { first, _ in first })
        self.products = products
        var targets: [Target] = []
        for call in calls {
            let name = String(call.output.2)
            let rest = String(call.output.3)
            // A product is written like a target.
            if rest.contains("targets: [") { continue }
            let list = rest.firstMatch(of: /(?:uses|dependencies): \[([^\]]*)\]/).map { String($0.output.1) } ?? ""
            let words = list.matches(of: /\w+/).map { String($0.output) }
            let path = rest.firstMatch(of: /path: "([^"]+)"/).map { String($0.output.1) }
            let home = call.output.1 == "tests" ? "Tests/\(name)" : "Sources/\(name)"
            targets.append(
                Target(
                    name: name, folder: path ?? home,
                    dependencies: Set(words.map { products[$0] ?? $0 })))
        }
        self.targets = targets
    }

    /// Whether a module is a target of this package or one of its dependencies; the others come with the toolchain.
    func isOurs(_ module: String) -> Bool {
        targets.contains { $0.name == module } || products.values.contains(module)
            || module.hasPrefix("C")
                && Repository.exists("Sources/\(module)")
    }

    static func imports(in source: String) -> [String] {
        source.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^(?:@\w+ )?(?:public |package |internal )?import (?:\w+ )?(\w+)/).map {
                String($0.output.1)
            }
        }
    }
}
