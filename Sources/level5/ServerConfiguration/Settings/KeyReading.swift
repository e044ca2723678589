import Access

/// What was found in the files of a key source at one time.
package struct KeyReading: Sendable {
    /// A file, and its keys if it has usable ones.
    struct File: Sendable {
        let path: String
        let keys: PublicKeySet?
    }

    var files: [File] = []
    /// Why the source can't be examined; nil if it can.
    var isMissing = false
    /// What can't be used, and keys that are passed over, for the operator.
    package var remarks: [ConfigurationFault] = []

    /// The keys of all files.
    var sets: [PublicKeySet] { files.compactMap(\.keys) }

    /// Whether no token can be checked with it.
    package var isEmpty: Bool { sets.isEmpty }

    /// The same, with the older keys of files that can't be read any more: they may be half written.
    package func keeping(_ older: KeyReading) -> KeyReading {
        var kept = self
        if isMissing {
            kept.files = older.files
        } else {
            kept.files = files.map { file in
                let known = older.files.first { $0.path == file.path }
                return File(path: file.path, keys: file.keys ?? known?.keys)
            }
        }
        return kept
    }
}
