import Foundation
import Yams

/// Reads a YAML or JSON file into written values. JSON is YAML, so both have one parser.
enum YAMLFile {
    /// - Parameter path: as the operator gave it; messages repeat it.
    static func read(_ path: String) throws(ConfigurationFault) -> WrittenValue {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw ConfigurationFault(.file(path, line: 0), key: nil, "can't be read as UTF-8 text")
        }
        return try parse(text, path: path)
    }

    static func parse(_ text: String, path: String) throws(ConfigurationFault) -> WrittenValue {
        let root: Node?
        do {
            root = try Parser(yaml: text).singleRoot()
        } catch let error as YamlError {
            throw fault(error, path: path)
        } catch {
            throw ConfigurationFault(.file(path, line: 1), key: nil, "is not YAML")
        }
        let whole = Origin.file(path, line: 1)
        guard let root else { return WrittenValue(form: .empty, origin: whole, key: "") }
        return Conversion(path: path).value(of: root, origin: whole, key: "")
    }

    private static func fault(_ error: YamlError, path: String) -> ConfigurationFault {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ConfigurationFault(.file(path, line: mark.line), key: nil, problem)
        case .duplicatedKeysInMapping(let duplicates, let context):
            ConfigurationFault(
                .file(path, line: context.mark.line), key: duplicates.first, "is written more than once")
        case .reader(let problem, _, _, _):
            ConfigurationFault(.file(path, line: 0), key: nil, problem)
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            ConfigurationFault(.file(path, line: 0), key: nil, "is not YAML")
        }
    }

    /// Turns the parser's nodes into written values: nothing past this file knows the parser.
    private struct Conversion {
        let path: String

        func value(of node: Node, origin: Origin, key: String) -> WrittenValue {
            WrittenValue(form: form(of: node, key: key, fallback: origin), origin: origin, key: key)
        }

        private func form(of node: Node, key: String, fallback: Origin) -> WrittenValue.Form {
            switch node {
            case .scalar(let scalar):
                let quoted = scalar.style == .singleQuoted || scalar.style == .doubleQuoted
                let isNull = !quoted && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
                return isNull ? .empty : .text(scalar.string, quoted: quoted)
            case .sequence(let sequence):
                return .list(
                    sequence.enumerated().map { index, item in
                        value(of: item, origin: origin(of: item) ?? fallback, key: "\(key)[\(index)]")
                    })
            case .mapping(let mapping):
                return .members(
                    mapping.map { name, item in
                        let text = name.scalar?.string ?? ""
                        let path = key.isEmpty ? text : "\(key).\(text)"
                        return WrittenValue.Member(
                            name: text, value: value(of: item, origin: origin(of: name) ?? fallback, key: path))
                    })
            case .alias:
                // The parser resolves aliases itself; one that is left over stands for nothing.
                return .empty
            }
        }

        private func origin(of node: Node) -> Origin? {
            node.mark.map { .file(path, line: $0.line) }
        }
    }
}
