import Scalars

extension Literal {
    /// Converts the constant to a type of OData 4, as requested by `cast(value,Edm.Type)`.
    /// - Returns: nil if the value can't have that type, or the type is unknown.
    func cast(to type: String) -> Literal? {
        if self == .null { return .null }
        switch type.lowercased() {
        case "edm.datetimeoffset", "edm.datetime": return asDate
        case "edm.date": return asDay
        case "edm.timeofday": return asTime
        case "edm.guid": return asGUID
        case "edm.string": return asText
        case "edm.boolean": return asBoolean
        case "edm.byte", "edm.sbyte", "edm.int16", "edm.int32", "edm.int64": return asInteger
        case "edm.single", "edm.double": return asReal
        case "edm.decimal": return asDecimal
        default: return nil
        }
    }

    private var asDate: Literal? {
        switch self {
        case .date: self
        case .day(let midnight): .date(midnight)
        case .text(let text): Instant(text).map(Literal.date)
        default: nil
        }
    }

    private var asDay: Literal? {
        switch self {
        case .day: self
        case .date(let instant): Instant(day: instant.dayText).map(Literal.day)
        case .text(let text): Instant(day: text).map(Literal.day)
        default: nil
        }
    }

    private var asTime: Literal? {
        switch self {
        case .time: self
        case .text(let text): TimeOfDay(text).map(Literal.time)
        default: nil
        }
    }

    private var asGUID: Literal? {
        switch self {
        case .guid: self
        case .text(let text): Lexer.guid(text).map(Literal.guid)
        default: nil
        }
    }

    private var asText: Literal? {
        switch self {
        case .text: self
        case .guid(let text): .text(text)
        case .integer(let number): .text(String(number))
        case .decimal(let number): .text(number.text)
        case .date(let instant): .text(instant.wireText)
        case .day(let midnight): .text(midnight.dayText)
        case .time(let time): .text(time.wireText)
        default: nil
        }
    }

    private var asBoolean: Literal? {
        switch self {
        case .boolean: self
        case .text("true"): .boolean(true)
        case .text("false"): .boolean(false)
        default: nil
        }
    }

    private var asInteger: Literal? {
        switch self {
        case .integer: self
        case .real(let number): Int64(exactly: number.rounded(.towardZero)).map(Literal.integer)
        case .decimal(let number): number.truncated.map(Literal.integer)
        case .text(let text): Int64(text).map(Literal.integer)
        default: nil
        }
    }

    private var asReal: Literal? {
        switch self {
        case .real: self
        case .integer(let number): .real(Double(number))
        case .decimal(let number): .real(number.double)
        case .text(let text): Double(text).map(Literal.real)
        default: nil
        }
    }

    private var asDecimal: Literal? {
        let number: DecimalNumber? =
            switch self {
            case .decimal(let number): number
            case .integer(let number): DecimalNumber(number)
            case .real(let number): DecimalNumber(number)
            case .text(let text): DecimalNumber(text)
            default: nil
            }
        guard let number, !number.isTooLong else { return nil }
        return .decimal(number)
    }
}
