import Foundation

/// The files that tests read.
enum Fixture {
    /// The folder of configurations and data.
    static let path = folder("Fixture")
    /// The folder of golden cases.
    static let golden = folder("Golden")
    /// The package's folder.
    static let package = folder("../..")

    private static func folder(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../\(name)").standardized.path
    }

    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    /// The paths of all golden cases below their folder, without the ending.
    static let cases: [String] = {
        let files = FileManager.default.enumerator(atPath: golden)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".http") }.map { String($0.dropLast(5)) }.sorted()
    }()
}
