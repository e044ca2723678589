import Scalars
import TableSQL
import Tables

extension TransactWriter {
    /// Converts a value to another type, by SQL Server's implicit conversions or those of CAST.
    func converted(
        _ operand: TransactOperand, to type: TransactType, at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        if operand.type == type { return operand }
        if operand.isNull || operand.type == .null {
            var null = TransactOperand(dialect.null(type), type)
            null.constant = .null
            return null
        }
        if let value = operand.constant {
            guard let converted = Self.converted(value, to: type) else {
                throw place.fault("\(Self.words(value)) can't be converted to \(type.noun).")
            }
            var constant = TransactOperand(converted)
            constant.type = type
            return constant
        }
        guard let sql = sql(operand, as: type) else {
            throw place.fault("\(operand.type.noun) can't be converted to \(type.noun).")
        }
        var made = TransactOperand(sql, type)
        made.isColumn = operand.isColumn && type.isText && operand.type.isText
        return made
    }

    private func sql(_ operand: TransactOperand, as type: TransactType) -> SQLFragment? {
        let sql = operand.sql
        switch (operand.type, type) {
        case (.identifier, .text), (.text, .identifier): return sql
        case (.boolean, .whole): return dialect.whole(ofBoolean: sql)
        case (.boolean, .real): return dialect.real(ofWhole: dialect.whole(ofBoolean: sql))
        case (.boolean, .text): return dialect.sql(.textOfNumber(.whole), [dialect.whole(ofBoolean: sql)])
        case (.whole, .real): return dialect.real(ofWhole: sql)
        case (.whole, .decimal): return dialect.decimal(ofWhole: sql)
        case (.whole, .boolean), (.real, .boolean): return "(\(sql) <> 0)"
        case (.real, .whole): return dialect.whole(ofReal: sql)
        case (.decimal, .real): return dialect.real(ofDecimal: sql)
        case (.decimal, .whole): return dialect.whole(ofReal: dialect.real(ofDecimal: sql))
        case (.whole, .text), (.real, .text), (.decimal, .text):
            return dialect.sql(.textOfNumber(operand.type.numberKind), [sql])
        case (.text, .whole), (.identifier, .whole): return dialect.number(ofText: sql, isWhole: true)
        case (.text, .real), (.identifier, .real): return dialect.number(ofText: sql, isWhole: false)
        case (.text, .date): return dialect.sql(.dateOfText, [sql])
        case (.date, .text): return dialect.text(ofDate: sql)
        default: return nil
        }
    }

    /// - Returns: nil if the value can't be converted.
    static func converted(_ value: Value, to type: TransactType) -> Value? {
        switch (value, type) {
        case (.text(let text), .identifier): .text(text)
        case (.text(let text), .whole): Int64(text.blankless).map(Value.integer)
        case (.text(let text), .real): Double(text.blankless).flatMap { $0.isFinite ? .number($0) : nil }
        case (.text(let text), .decimal): DecimalNumber(text).flatMap { $0.isTooLong ? nil : .decimal($0) }
        case (.text(let text), .boolean): boolean(text)
        case (.text(let text), .date): Instant(transact: text).map(Value.date)
        // What isn't a version of this server matches no row's.
        case (.text(let text), .version): .integer(Version(wireText: text)?.counter ?? -1)
        case (.integer, .whole), (.integer, .version): value
        case (.integer(let whole), .real): .number(Double(whole))
        case (.integer(let whole), .decimal): .decimal(DecimalNumber(whole))
        case (.integer(let whole), .boolean): .boolean(whole != 0)
        case (.integer(let whole), .text), (.integer(let whole), .identifier): .text(String(whole))
        case (.number(let number), .whole): Int64(exactly: number.rounded(.towardZero)).map(Value.integer)
        case (.number(let number), .decimal): DecimalNumber(number).flatMap { $0.isTooLong ? nil : .decimal($0) }
        case (.number(let number), .boolean): .boolean(number != 0)
        case (.number(let number), .text), (.number(let number), .identifier): .text(number.shortestText)
        case (.decimal(let decimal), .real): .number(decimal.double)
        case (.decimal(let decimal), .whole):
            Int64(exactly: decimal.double.rounded(.towardZero)).map(Value.integer)
        case (.decimal(let decimal), .text): .text(decimal.text)
        case (.boolean(let flag), .whole): .integer(flag ? 1 : 0)
        case (.boolean(let flag), .real): .number(flag ? 1 : 0)
        case (.boolean(let flag), .text): .text(flag ? "1" : "0")
        case (.date(let instant), .text): .text(instant.wireText)
        default: TransactType(value) == type ? value : nil
        }
    }

    private static func boolean(_ text: String) -> Value? {
        switch text.blankless.lowercased() {
        case "true", "1": .boolean(true)
        case "false", "0": .boolean(false)
        default: nil
        }
    }

    private static func words(_ value: Value) -> String {
        if case .text(let text) = value { "The text '\(text.prefix(40))'" } else { "A constant (\(value.kind))" }
    }

    /// Determines the common type of several values.
    /// - Returns: the values, converted to this type.
    func unified(
        _ operands: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> (operands: [TransactOperand], type: TransactType) {
        var type = TransactType.null
        // Constants take the type of non-constants.
        for operand in operands where operand.constant == nil { type = try Self.common(type, operand.type, at: place) }
        for operand in operands where operand.constant != nil {
            if let value = operand.constant, type != .null, !type.isText,
                value.textValue != nil || !type.isNumber, Self.converted(value, to: type) != nil
            {
                continue
            }
            type = try Self.common(type, operand.type, at: place)
        }
        var converted: [TransactOperand] = []
        for operand in operands {
            converted.append(type == .null ? operand : try self.converted(operand, to: type, at: place))
        }
        return (converted, type)
    }

    private static func common(
        _ left: TransactType, _ right: TransactType, at place: TransactPlace
    ) throws(StatementFault) -> TransactType {
        switch (left, right) {
        case _ where left == right: return left
        case (.null, let other), (let other, .null): return other
        case _ where left.isText && right.isText: return .text
        case _ where left.isNumber && right.isNumber: return left == .real || right == .real ? .real : .decimal
        case (.boolean, let other) where other.isNumber: return other
        case (let other, .boolean) where other.isNumber: return other
        default: throw place.fault("\(left.noun) and \(right.noun) don't go together; CAST says what is meant.")
        }
    }

    /// Translates CAST and CONVERT.
    func cast(
        _ operand: TransactOperand, _ type: TransactDataType, style: TransactExpression?, at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        if let style, operand.type == .date, case .text(let size) = type {
            return cut(try styled(operand, style), to: size)
        }
        switch type {
        case .text(let size): return cut(try converted(operand, to: .text, at: place), to: size)
        case .whole: return try converted(operand, to: .whole, at: place)
        case .real: return try converted(operand, to: .real, at: place)
        case .boolean: return try converted(operand, to: .boolean, at: place)
        case .date: return try converted(operand, to: .date, at: place)
        case .day:
            return TransactOperand(dialect.startOfDay(try converted(operand, to: .date, at: place).sql), .date)
        case .fixed(let places):
            return rounded(try converted(operand, to: .real, at: place), to: min(places, 15))
        }
    }

    private func cut(_ operand: TransactOperand, to size: Int?) -> TransactOperand {
        guard let size, !operand.isNull else { return operand }
        if let text = operand.constantText {
            return TransactOperand(.text(String(String.UnicodeScalarView(text.unicodeScalars.prefix(size)))))
        }
        let operands = [operand.sql, "0", SQLFragment(.integer(Int64(size)))]
        return TransactOperand(dialect.sql(.substring, operands), .text)
    }

    /// Formats a date in one of CONVERT's numbered styles.
    private func styled(_ date: TransactOperand, _ style: TransactExpression) throws(StatementFault) -> TransactOperand
    {
        let scope = TransactScope(in: nil)
        guard let number = try resolve(style, in: scope).constant?.integerValue else {
            throw style.place.fault("The style of CONVERT has to be a number.")
        }
        let text = dialect.text(ofDate: date.sql)
        func piece(_ start: SQLFragment, _ count: SQLFragment) -> SQLFragment { "substr(\(text), \(start), \(count))" }
        let (year, month, day) = (piece("1", "4"), piece("6", "2"), piece("9", "2"))
        let sql: SQLFragment
        switch number {
        case 20, 120: sql = "(\(piece("1", "10")) || ' ' || \(piece("12", "8")))"
        case 21, 121: sql = "(\(piece("1", "10")) || ' ' || \(piece("12", "12")))"
        case 23: sql = piece("1", "10")
        case 101: sql = "(\(month) || '/' || \(day) || '/' || \(year))"
        case 103: sql = "(\(day) || '/' || \(month) || '/' || \(year))"
        case 104: sql = "(\(day) || '.' || \(month) || '.' || \(year))"
        case 108, 8: sql = piece("12", "8")
        case 112: sql = "(\(year) || \(month) || \(day))"
        case 126: sql = piece("1", "23")
        case 127: sql = text
        default: throw style.place.fault("The style \(number) of CONVERT is not supported.")
        }
        return TransactOperand(sql, .text)
    }
}

extension String {
    /// The text without leading and trailing blanks.
    fileprivate var blankless: Substring {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension Instant {
    /// Parses a date as SQL Server does: also `20261121`, with or without a time of day after it.
    fileprivate init?(transact text: String) {
        let digits = text.utf8.prefix { (48...57).contains($0) }.count
        guard digits == 8 else {
            self.init(text)
            return
        }
        self.init("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.dropFirst(6))")
    }
}
