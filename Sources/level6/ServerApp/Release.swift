/// Which release of the program this is.
public enum Release {
    /// The version by semantic versioning, without a letter before it.
    public static let version = "0.1.0"
    /// Name and version, as responses and the front page show them.
    public static let name = "zumod-\(version)"
}
