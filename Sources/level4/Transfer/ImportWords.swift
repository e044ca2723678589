import Tables

extension ImportCounts {
    /// `12 rows inserted, 3 replaced`.
    var sentence: String {
        var parts = ["\(inserted) \(inserted == 1 ? "row" : "rows") inserted"]
        if replaced > 0 { parts.append("\(replaced) replaced") }
        if skipped > 0 { parts.append("\(skipped) there already") }
        if tombstonesLeftOut > 0 {
            parts.append("\(tombstonesLeftOut) tombstones left out, since the table keeps none")
        }
        if movedStamps > 0 { parts.append("\(movedStamps) with a later stamp, since another row had theirs") }
        return parts.joined(separator: ", ")
    }
}
