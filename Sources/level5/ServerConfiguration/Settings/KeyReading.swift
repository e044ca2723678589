import Access

/// The contents of a key source's files at one time.
package struct KeyReading: Sendable {
    /// A file, with its keys if it has usable ones.
    struct File: Sendable {
        let path: String
        let keys: PublicKeySet?
    }

    var files: [File] = []
    /// Whether the source is missing or can't be examined.
    var isMissing = false
    /// Messages for the operator about unusable files and ignored keys.
    package var remarks: [ConfigurationFault] = []

    /// The keys of all files.
    var sets: [PublicKeySet] { files.compactMap(\.keys) }

    /// Whether it has no keys for verifying tokens.
    package var isEmpty: Bool { sets.isEmpty }

    /// Returns this reading with the older keys of files that can't be read any more, which may be half written.
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
