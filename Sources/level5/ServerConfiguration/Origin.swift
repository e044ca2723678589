/// Where an operator wrote a setting, in the words of a message.
public enum Origin: Sendable, Hashable, CustomStringConvertible {
    /// A file as its path was given, and a line counted from 1; 0 if the whole file is meant.
    case file(String, line: Int)
    case environment(String)
    case flag(String)

    /// `config/zumod.yaml:3`, `environment ZUMOD_PORT` or `flag --port`.
    public var description: String {
        switch self {
        case .file(let path, line: 0): path
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let name): "environment \(name)"
        case .flag(let name): "flag \(name)"
        }
    }
}
