/// Why an operator's command failed.
public enum CommandFault: Error, Sendable {
    /// There is a problem with the database or the configuration.
    case application(StartFault)
    /// The arguments on the command line don't go together.
    case usage(String)
    /// The input data is invalid.
    case data(String)
    /// A file can't be read or written.
    case file(String)
}
