/// Where an operator wrote a setting, for messages.
public enum Origin: Sendable, Hashable, CustomStringConvertible {
    /// A file by the path it was given as, and a line number from 1; 0 for the file as a whole.
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
