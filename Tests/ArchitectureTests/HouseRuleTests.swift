import Foundation
import Testing

@Suite("The house rules")
struct HouseRuleTests {
    @Test(arguments: ["docs/architecture.md", "docs/how-to-add.md"])
    func `every path that a page for contributors names is there`(page: String) throws {
        let page = try Repository.text(of: page)
        let quoted = page.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        let paths = quoted.filter { $0.contains("/") && $0.hasSuffix(".swift") }
        #expect(paths.count >= 10)
        for path in paths { #expect(Repository.exists(path), "\(path) is gone") }
    }

    @Test func `every symbol that the page of a module links to is declared in it`() throws {
        let pages = Repository.files(below: "Sources", endingIn: [".md"]).filter { $0.contains(".docc/") }
        #expect(pages.count >= 3)
        for page in pages {
            let folder = page.split(separator: "/").dropLast(2).joined(separator: "/")
            let code = try Repository.swiftFiles(below: folder).map(Repository.text).joined()
            let links = try Repository.text(of: page).matches(of: /``([^`\n]+)``/).map { String($0.output.1) }
            #expect(links.count >= 3)
            // The first is the title.
            for part in links.dropFirst().joined(separator: "/").split(separator: "/") {
                let name = part.prefix { $0 != "(" }
                let kinds = name == "init" ? [""] : ["struct ", "final class ", "enum ", "func ", "var ", "let "]
                #expect(kinds.contains { code.contains("public \($0)\(name)") }, "\(page) links to \(name)")
            }
        }
    }

    @Test func `no folder of sources has more than fifteen files side by side`() {
        let folders = Dictionary(grouping: Repository.swiftFiles(below: "Sources")) { path in
            path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        }
        #expect(folders.count > 100)
        for (folder, files) in folders { #expect(files.count <= 15, "\(folder)") }
    }

    @Test func `every rule of the protocol that code, tests and pages cite is there`() throws {
        let pages = ["v1", "v2", "v3"].map { "docs/protocol/\($0).md" }
        let rules = try Set(
            pages.flatMap { path in
                try Repository.text(of: path).matches(of: /\*\*(v[123]-[0-9]+)\*\*/).map { String($0.output.1) }
            })
        #expect(rules.count >= 200)
        let folders = ["Sources", "Tests", "Migrations", "Benchmarks", "docs"]
        for path in folders.flatMap({ Repository.files(below: $0, endingIn: [".swift", ".md"]) }) {
            for citation in try Repository.text(of: path).matches(of: /\bv[123]-[0-9]+\b/) {
                #expect(rules.contains(String(citation.output)), "\(path) cites \(citation.output)")
            }
        }
    }

    @Test func `the threat model names tests that exist, and covers or waives each of the ten risks`() throws {
        let page = try Repository.text(of: "docs/security.md")
        let risks = page.components(separatedBy: "\n### API").dropFirst()
        #expect(risks.count == 10)
        var tests = 0
        for (number, risk) in risks.enumerated() {
            #expect(risk.hasPrefix("\(number + 1) "))
            #expect(risk.contains("| `Tests/") || risk.contains("\nWaived: "))
            for row in risk.split(separator: "\n") where row.hasPrefix("| ") && !row.hasPrefix("| what is done") {
                let test = try #require(row.split(separator: "|").last).trimmingCharacters(in: .whitespaces)
                if test.hasPrefix("none: ") { continue }
                let parts = test.split(separator: "`", omittingEmptySubsequences: true).map(String.init)
                let path = try #require(parts.first)
                #expect(Repository.exists(path), "\(path) is gone")
                if parts.count > 1, Repository.exists(path) {
                    let name = parts[1].dropFirst(2)
                    #expect(try Repository.text(of: path).contains("`\(name)`"), "\(path) has no test \(name)")
                }
                tests += 1
            }
        }
        #expect(tests >= 20)
    }

    @Test(arguments: ["Sources", "Tests", "Migrations"])
    func `no source file is longer than 400 lines`(folder: String) throws {
        for path in Repository.swiftFiles(below: folder) {
            let lines = try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= 400, "\(path) has \(lines) lines")
        }
    }

    @Test func `a target imports only what the manifest lets it`() throws {
        let manifest = try Manifest(Repository.text(of: "Package.swift"))
        #expect(manifest.targets.count >= 10)
        for target in manifest.targets {
            for path in Repository.swiftFiles(below: target.folder) {
                for module in Manifest.imports(in: try Repository.text(of: path)) where manifest.isOurs(module) {
                    #expect(target.dependencies.contains(module), "\(path) imports \(module)")
                }
            }
        }
    }

    @Test func `no manifest names a package from elsewhere`() throws {
        let two = #"dependencies: [.package(url: "https://localhost/a", from: "1.0.0"), .package(path: "..")]"#
        try #require(Manifest.packages(in: two) == [#"url: "https://localhost/a", from: "1.0.0""#, #"path: "..""#])
        for manifest in ["Package.swift", "Benchmarks/Package.swift", "Examples/Package.swift"] {
            for package in try Manifest.packages(in: Repository.text(of: manifest)) {
                #expect(package.hasSuffix(#"path: "..""#), "\(manifest) asks the network for \(package)")
            }
        }
    }

    @Test func `two targets alone name OpenSSL`() throws {
        for path in Repository.swiftFiles(below: "Sources") {
            guard try Manifest.imports(in: Repository.text(of: path)).contains("COpenSSL") else { continue }
            #expect(["Cryptography", "TLS"].contains(path.split(separator: "/")[2]), "\(path) imports COpenSSL")
        }
    }

    @Test func `one target alone names the system`() throws {
        let systems: Set = ["Glibc", "Musl", "Darwin", "CSockets"]
        for folder in ["Sources", "Tests", "Migrations"] {
            for path in Repository.swiftFiles(below: folder) where !path.hasPrefix("Sources/level0/Platform/") {
                let named = systems.intersection(Manifest.imports(in: try Repository.text(of: path)))
                #expect(named.isEmpty, "\(path) imports \(named.sorted()) in the place of Platform")
            }
        }
    }

    @Test func `OpenSSL is named by two targets alone, and by tests`() throws {
        let ours: Set = ["Cryptography", "TLS"]
        let manifest = try Manifest(Repository.text(of: "Package.swift"))
        let targets = manifest.targets.filter { $0.dependencies.contains("COpenSSL") }
        #expect(targets.map(\.name).filter(ours.contains).count == ours.count)
        for target in targets where !ours.contains(target.name) {
            #expect(target.folder.hasPrefix("Tests/"), "\(target.name) has COpenSSL")
        }
        for path in Repository.swiftFiles(below: "Sources") {
            guard Manifest.imports(in: try Repository.text(of: path)).contains("COpenSSL") else { continue }
            #expect(ours.contains { path.hasPrefix(manifest.folder(of: $0)) }, "\(path) imports COpenSSL")
        }
    }

    @Test func `an edge reaches rows only by the operations, which ask who is admitted`() throws {
        let edges = ["AdminAPI", "AuthAPI", "CustomAPI", "TableAPI", "Webhooks", "ZumoProtocol", "ZumodServer"]
        let manifest = try Manifest(Repository.text(of: "Package.swift"))
        for edge in edges {
            let files = Repository.swiftFiles(below: String(manifest.folder(of: edge).dropLast()))
            #expect(!files.isEmpty)
            for path in files {
                let text = try Repository.text(of: path)
                let lines = text.split(separator: "\n").filter { line in
                    ["TableStore", "TransferStore"].contains { line.contains($0) }
                }
                // The router is handed the store, and hands it on.
                let allowed = path == "Sources/level4/TableAPI/TableRouter.swift" ? 1 : 0
                #expect(lines.count <= allowed, "\(path) names the store: \(lines)")
            }
        }
    }

    @Test func `webhooks and commands alone call other servers`() throws {
        let callers: [(word: String, places: [String])] = [
            ("Platform.connect(", ["Sources/level4/Webhooks/PlainHTTP.swift"]),
            ("PlainHTTP.", ["Sources/level4/Webhooks/", "Sources/level6/ServerApp/HealthProbe.swift"]),
            (
                "import CurlClient",
                [
                    "Sources/level4/Conformance/", "Sources/level4/Transfer/",
                    "Sources/level8/zumod/Commands/ConformanceCommand.swift",
                ]
            ),
            ("URLSession", []), ("URLRequest", []), ("Data(contentsOf: URL(string", []),
        ]
        for path in Repository.swiftFiles(below: "Sources") {
            let text = try Repository.text(of: path)
            for (word, places) in callers where text.contains(word) {
                #expect(places.contains(where: path.hasPrefix), "\(path) has \(word)")
            }
        }
        // What a webhook is called by is what its table's file says.
        let worker = try Repository.text(of: "Sources/level4/Webhooks/WebhookWorker.swift")
        #expect(worker.contains("let address = webhook.address"))
        #expect(worker.contains("to: address.host, port: address.port"))
    }
}
