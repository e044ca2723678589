import Foundation

/// The files that tests read.
enum Fixture {
    /// The folder of configurations and data.
    static let path = folder("Fixture")
    /// The folder of golden cases.
    static let golden = folder("Golden")
    /// The folder of cases of scripts.
    static let scripts = folder("ScriptCases")
    /// The package's folder.
    static let package = folder("../..")

    private static func folder(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../\(name)").standardized.path
    }

    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    /// The paths of all golden cases below their folder, without the ending.
    static let cases = cases(in: golden)
    /// The same of the cases of scripts.
    static let scriptCases = cases(in: scripts)

    private static func cases(in folder: String) -> [String] {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".http") }.map { String($0.dropLast(5)) }.sorted()
    }
}
