/// A generation of the table API.
public enum WireGeneration: String, Sendable, CaseIterable {
    /// Azure Mobile Services.
    case v1
    /// Azure Mobile Apps.
    case v2
    /// Datasync.
    case v3

    /// Whose API it is, in words.
    public var words: String {
        switch self {
        case .v1: "Azure Mobile Services"
        case .v2: "Azure Mobile Apps"
        case .v3: "Datasync"
        }
    }
}
