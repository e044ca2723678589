/// The clocks of a database's servers, each of which dates what it does by its own.
public enum ServerClocks {
    /// The greatest difference between two of them that is reckoned with, in milliseconds.
    public static let difference: Int64 = 60_000
}
