/// Why an operator's command did not do what it was asked to.
public enum CommandFault: Error, Sendable {
    /// The database or the configuration.
    case application(StartFault)
    /// The words of the command line don't fit together.
    case usage(String)
    /// What was read can't be taken.
    case data(String)
    /// A file can't be read or written.
    case file(String)
}
