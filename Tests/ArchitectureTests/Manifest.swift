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

    /// The folder of a target, with a slash behind it.
    func folder(of name: String) -> String { targets.first { $0.name == name }.map { "\($0.folder)/" } ?? "?" }

    /// Reads the text of `Package.swift`: every call that makes a target, and the level in which it stands.
    init(_ text: String) {
        let calls = text.matches(
            of:
                /let level(\d)|(library|tests|\.target|\.executableTarget|\.systemLibrary)\(\s*(?:name: )?"(\w+)"([^)]*)\)/
        )
        var targets: [Target] = []
        var level = ""
        for call in calls {
            if let number = call.output.1 { level = "level\(number)/" }
            guard let name = call.output.3.map(String.init), let rest = call.output.4 else { continue }
            // A product is written like a target.
            if rest.contains("targets: [") { continue }
            let list = rest.firstMatch(of: /(?:uses|dependencies): \[([^\]]*)\]/).map { String($0.output.1) } ?? ""
            let words = list.matches(of: /\w+/).map { String($0.output) }
            let path = rest.firstMatch(of: /path: "([^"]+)"/).map { String($0.output.1) }
            let home = call.output.2 == "tests" ? "Tests/\(name)" : "Sources/\(level)\(name)"
            targets.append(Target(name: name, folder: path ?? home, dependencies: Set(words)))
        }
        self.targets = targets
    }

    /// Whether a module is a target of this package; the others come with the toolchain.
    func isOurs(_ module: String) -> Bool {
        targets.contains { $0.name == module }
    }

    /// What the text of a manifest says of each package that it depends on.
    static func packages(in text: String) -> [String] {
        text.matches(of: /\.package\(([^)]*)\)/).map { String($0.output.1) }
    }

    static func imports(in source: String) -> [String] {
        // Made once: to make it takes longer than to look for it in a line.
        let statement = /(?:@\w+ )?(?:public |package |internal )?import (?:\w+ )?(\w+)/
        return source.split(separator: "\n").compactMap { line in
            line.prefixMatch(of: statement).map { String($0.output.1) }
        }
    }
}
