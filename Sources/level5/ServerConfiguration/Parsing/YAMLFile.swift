import Foundation

/// Reads a YAML or JSON file. JSON is YAML, so both use the same parser.
enum YAMLFile {
    /// - Parameter path: the path as the operator gave it, for messages.
    static func read(_ path: String) throws(ConfigurationFault) -> ConfigurationValue {
        guard let data = try? contents(of: path) else { throw OperatorFiles.fault(of: path) }
        guard data.count <= YAMLTree.mostBytes else {
            throw ConfigurationFault.file(path, "is larger than \(YAMLTree.mostBytes >> 20) MiB")
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw OperatorFiles.fault(of: path) }
        return try parse(text, path: path)
    }

    /// Returns the members of a file; empty if the file is.
    /// - Parameter text: the content of the file; nil to read it.
    static func members(
        of path: String, holding text: String? = nil
    ) throws(ConfigurationFault) -> [ConfigurationValue.Member] {
        let root = if let text { try parse(text, path: path) } else { try read(path) }
        return root.isEmpty ? [] : try root.members()
    }

    static func parse(_ text: String, path: String) throws(ConfigurationFault) -> ConfigurationValue {
        guard directives(in: text) <= mostDirectives else {
            throw ConfigurationFault(
                .file(path, line: 1), key: nil, "begins with more than \(mostDirectives) directives, lines with a %")
        }
        var tree = YAMLTree(try YAMLEvents(text, path: path))
        return try tree.root()
    }

    /// The maximum number of directives: libyaml compares each with all earlier ones.
    private static let mostDirectives = 100

    /// Counts the lines with a % at the start of a text, among comments.
    private static func directives(in text: String) -> Int {
        let isLineEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        var (count, rest) = (0, text.utf8[...])
        while true {
            rest = rest.drop(while: isLineEnd)
            guard let first = rest.first, [UInt8(ascii: "%"), UInt8(ascii: "#")].contains(first) else { return count }
            if first == UInt8(ascii: "%") { count += 1 }
            rest = rest.drop { !isLineEnd($0) }
        }
    }

    /// Reads as much of a file as is needed to tell whether it is too large.
    private static func contents(of path: String) throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        return try file.read(upToCount: YAMLTree.mostBytes + 1) ?? Data()
    }
}
