import SeedTesting

/// Random T-SQL that both databases have to answer alike.
struct TransactSource {
    var generator: SeededGenerator

    private mutating func pick(_ choices: [String]) -> String { generator.pick(choices) }

    mutating func text(_ depth: Int) -> String {
        guard depth > 0 else {
            return pick(["a_string", "b.name", "'x'", "N'É'", "'Milk '", "''", "@text", "'12'", "a.id"])
        }
        let d = depth - 1
        switch Int.random(in: 0..<17, using: &generator) {
        case 15: return "STUFF(\(text(d)), \(small()), \(small()), \(text(0)))"
        case 0: return "(\(text(d)) + \(text(d)))"
        case 1: return "UPPER(\(text(d)))"
        case 2: return "LOWER(\(text(d)))"
        case 3: return "SUBSTRING(\(text(d)), \(small()), \(small()))"
        case 4: return "LEFT(\(text(d)), \(pick(["0", "1", "3"])))"
        case 5: return "RIGHT(\(text(d)), \(pick(["0", "1", "3"])))"
        case 6: return "REPLACE(\(text(d)), \(pick(["'M'", "'é'", "'l'"])), \(text(0)))"
        case 7: return "ISNULL(\(text(d)), \(text(d)))"
        case 8: return "COALESCE(\(text(d)), \(text(d)), '-')"
        case 9: return "CASE WHEN \(condition(d)) THEN \(text(d)) ELSE \(text(d)) END"
        case 10: return "LTRIM(RTRIM(\(text(d))))"
        case 11: return "CAST(\(number(d)) AS NVARCHAR(30))"
        case 12: return "CONVERT(VARCHAR(30), \(date(d)), \(pick(["23", "112", "120", "126", "127", "108"])))"
        case 13: return "NULLIF(\(text(d)), \(text(d)))"
        case 14: return "CONCAT(\(text(d)), \(number(0)), \(text(0)))"
        default: return text(0)
        }
    }

    private mutating func small() -> String { pick(["1", "2", "0", "-1", "a_integer", "5"]) }

    mutating func number(_ depth: Int) -> String {
        guard depth > 0 else {
            return pick(["a_number", "a_integer", "3", "2.5", "-7", "@number", "b.age", "a_boolean"])
        }
        let d = depth - 1
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: return "(\(number(d)) \(pick(["+", "-", "*"])) \(number(0)))"
        case 1: return "(\(number(d)) / \(number(0)))"
        case 2: return "(\(number(d)) % \(pick(["3", "7", "2"])))"
        case 3: return "LEN(\(text(d)))"
        case 4: return "CHARINDEX(\(pick(["'M'", "'é'", "a_string"])), \(text(d)))"
        case 5: return "ABS(\(number(d)))"
        case 6: return "ROUND(\(number(d)), \(pick(["0", "1", "2"])))"
        case 7: return "FLOOR(\(number(d)))"
        case 8: return "CEILING(\(number(d)))"
        case 9: return "DATEDIFF(\(part()), \(date(d)), \(date(d)))"
        case 10:
            return "DATEPART(\(pick(["year", "month", "day", "hour", "weekday", "dayofyear", "quarter"])), \(date(d)))"
        case 11: return "CASE WHEN \(condition(d)) THEN \(number(d)) ELSE \(number(d)) END"
        case 12: return "ISNULL(\(number(0)), \(number(0)))"
        case 14: return "\(pick(["SIN", "COS", "ATAN", "RADIANS", "DEGREES", "SIGN", "SQUARE"]))(\(number(d)))"
        case 15: return "SQRT(ABS(\(number(d))))"
        case 16: return "POWER(\(number(0)), \(pick(["2", "3", "0", "1"])))"
        case 17: return "ROUND(\(number(d)), \(pick(["0", "1", "2"])), 1)"
        case 18: return "IIF(\(condition(d)), \(number(0)), \(number(0)))"
        case 13: return "CAST(\(pick([text(d), number(d)])) AS \(pick(["INT", "FLOAT"])))"
        default: return number(0)
        }
    }

    private mutating func part() -> String { pick(["day", "hour", "minute", "month", "year", "second", "quarter"]) }

    mutating func date(_ depth: Int) -> String {
        guard depth > 0 else {
            return pick(["a_date", "CAST('2024-02-29T12:30:15.250Z' AS DATETIME)", "GETDATE()", "@date"])
        }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: return "DATEADD(\(part()), \(pick(["1", "-1", "13", "-25", "5"])), \(date(depth - 1)))"
        case 2: return "CAST(\(date(depth - 1)) AS DATE)"
        case 3: return "ISNULL(\(date(0)), \(date(0)))"
        default: return date(0)
        }
    }

    mutating func condition(_ depth: Int) -> String {
        let d = max(depth - 1, 0)
        let sign = pick(["=", "<>", "<", "<=", ">", ">="])
        switch Int.random(in: 0..<14, using: &generator) {
        case 0 where depth > 0: return "(\(condition(d)) AND \(condition(d)))"
        case 1 where depth > 0: return "(\(condition(d)) OR \(condition(d)))"
        case 2 where depth > 0: return "NOT \(condition(d))"
        case 3, 4: return "\(text(d)) \(sign) \(text(d))"
        case 5, 6: return "\(number(d)) \(sign) \(number(d))"
        case 7: return "\(date(d)) \(sign) \(date(d))"
        case 8: return "\(text(d)) LIKE \(pick(["'%m%'", "'É%'", "'_i%'", "'%k'", "'[a-m]%'", "'%[^x]'", "@text"]))"
        case 9: return "\(pick([text(d), number(d), date(d)])) IS \(pick(["", "NOT "]))NULL"
        case 10: return "\(text(d)) IN (\(text(0)), 'milk', \(text(d)))"
        case 11: return "\(number(d)) IN (1, 2.5, \(number(0)))"
        case 12: return "a_boolean = \(pick(["0", "1", "'true'"]))"
        default: return "\(number(d)) BETWEEN \(number(0)) AND \(number(0))"
        }
    }

    /// A query whose rows have one order.
    mutating func query() -> String {
        let source = "FROM samples a \(pick(["INNER", "LEFT", "RIGHT", "FULL"])) JOIN people b ON \(condition(1))"
        let depth = Int.random(in: 0...2, using: &generator)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0:
            let key = pick([text(1), number(1)])
            return
                "SELECT \(key) k, COUNT(*), MIN(a.id), COUNT(DISTINCT a_string), MAX(a_number) \(source) GROUP BY \(key) ORDER BY 1, 2, 3"
        case 2:
            let function = pick([
                "ROW_NUMBER()", "RANK()", "COUNT(*)", "SUM(a_integer)", "LAG(a_string)", "MAX(a_date)",
            ])
            return
                "SELECT a.id, b.id, \(function) OVER (PARTITION BY \(pick([text(1), number(0)])) ORDER BY a.id, b.id) \(source) ORDER BY 1, 2"
        case 1: return "SELECT DISTINCT \(text(depth)), \(number(0)) \(source) ORDER BY 1, 2"
        default:
            let item = pick([text(depth), number(depth), date(depth)])
            return
                "SELECT TOP 40 a.id, b.id, \(item) \(source) WHERE \(condition(depth)) ORDER BY \(pick([text(1), number(1), date(1)])), a.id, b.id"
        }
    }
}
