import Foundation

/// Text as the query language sees it: a row of code points, compared one by one.
///
/// Canonical equivalence plays no part: an é written in two code points differs from one written in one.
enum ReferenceText {
    /// Each code point in lower case, so that no text grows or shrinks; İ, whose lower case is two, stays.
    static func lowered(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.map(lowered)
    }

    /// Each code point in upper case; ß, whose upper case is two, stays.
    static func raised(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.map { scalar in
            let mapping = scalar.properties.uppercaseMapping.unicodeScalars
            return mapping.count == 1 ? mapping.first ?? scalar : scalar
        }
    }

    private static func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        guard mapping.count == 1, let lower = mapping.first else { return scalar }
        // The Kelvin sign stays what it is, so that what is ASCII can be compared by ASCII's rules.
        return lower.isASCII && !scalar.isASCII ? scalar : lower
    }

    /// How texts are looked at.
    enum View {
        /// As they are.
        case exact
        /// Without case, to tell whether they are equal.
        case letters
        /// Without case and accents, to tell which comes first.
        case order
    }

    /// The code points of a text in a view.
    static func seen(_ text: String, as view: View) -> [Unicode.Scalar] {
        switch view {
        case .exact: return Array(text.unicodeScalars)
        case .letters: return lowered(text)
        case .order:
            let accented = text.decomposedStringWithCompatibilityMapping.unicodeScalars.flatMap(folded)
            let plain = accented.filter { $0.properties.canonicalCombiningClass == .notReordered }
            return plain == accented ? plain : plain + ["\0"] + accented
        }
    }

    /// Lower case, but for the two letters of which folding makes another or more.
    private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        switch scalar {
        case "ß", "ẞ": ["s", "s"]
        case "ς": ["σ"]
        default: Array(scalar.properties.lowercaseMapping.unicodeScalars)
        }
    }

    /// The code points that a search looks at.
    static func compared(_ text: String, exactly: Bool) -> [Unicode.Scalar] {
        exactly ? Array(text.unicodeScalars) : lowered(text)
    }

    /// The first place of the needle at or behind `start`, in code points.
    static func index(of needle: [Unicode.Scalar], in text: [Unicode.Scalar], from start: Int = 0) -> Int? {
        guard needle.count <= text.count else { return nil }
        return (0...text.count - needle.count).first { $0 >= start && text[$0...].starts(with: needle) }
    }

    /// Without the blanks at both ends. Other white space is text.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars.drop { $0 == " " }
        return string(scalars.reversed().drop { $0 == " " }.reversed())
    }

    /// Every place of the needle, from the left and without overlap, replaced. An empty needle is nowhere.
    static func replacing(_ needle: String, with new: String, in text: String, exactly: Bool) -> String {
        let wanted = compared(needle, exactly: exactly)
        guard !wanted.isEmpty else { return text }
        let original = Array(text.unicodeScalars)
        let seen = compared(text, exactly: exactly)
        var result: [Unicode.Scalar] = []
        var position = 0
        while let found = index(of: wanted, in: seen, from: position) {
            result += original[position..<found]
            result += new.unicodeScalars
            position = found + wanted.count
        }
        return string(result + original[position...])
    }

    static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
