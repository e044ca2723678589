/// What only v1 refuses.
enum ServicesFault: Error, Equatable {
    /// A name in `__systemProperties` that is none.
    case unknownSystemProperty(String)
    /// An option of lists together with the id of one row.
    case listOption(String)
    /// No body, or one without members, although a row is expected.
    case bodyMissing
    /// A body where none is expected.
    case undeleteBody
    case undeleteImpossible(table: String)
    /// `ID`, `Id` or `iD`.
    case idMisspelled(String)
    /// The id of a numbered row that is no whole number.
    case idNotInteger
    /// No row has the id, or none that the caller may see.
    case rowMissing(id: String)
}
