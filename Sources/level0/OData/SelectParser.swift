/// Parses `$select`: names separated by commas, possibly surrounded by blanks; `*` stands for all columns.
enum SelectParser {
    /// - Returns: nil for all columns.
    static func names(
        _ text: String, option: String, language: QueryLanguage
    ) throws(QueryError) -> [SelectedName]? {
        let bytes = Array(text.utf8)
        var names: [SelectedName] = []
        var hasAll = false
        var position = 0
        while true {
            position = skipBlanks(bytes, from: position)
            let start = position
            while position < bytes.count, Lexer.isWord(bytes[position]) { position += 1 }
            if position > start {
                guard names.count < QueryLimits.selectedNames else {
                    throw QueryError(
                        option, at: start,
                        .overLimit(.names, limit: QueryLimits.selectedNames, found: names.count + 1))
                }
                let name = String(decoding: bytes[start..<position], as: UTF8.self)
                names.append(SelectedName(language.columnName(name), at: start))
            } else if position < bytes.count, bytes[position] == UInt8(ascii: "*") {
                hasAll = true
                position += 1
            } else {
                throw QueryError(option, at: position, .syntax("Expected the name of a column."))
            }
            position = skipBlanks(bytes, from: position)
            if position == bytes.count { return hasAll ? nil : names }
            guard bytes[position] == UInt8(ascii: ",") else {
                throw QueryError(option, at: position, .syntax("Expected a comma between the names of columns."))
            }
            position += 1
        }
    }

    private static func skipBlanks(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start
        while position < bytes.count, Lexer.isBlank(bytes[position]) { position += 1 }
        return position
    }
}
