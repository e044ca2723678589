/// The release of the program.
public enum Release {
    /// The semantic version, without a prefix.
    public static let version = "0.1.0"
    /// Name and version, as in responses and on the front page.
    public static let name = "zumod-\(version)"
}
