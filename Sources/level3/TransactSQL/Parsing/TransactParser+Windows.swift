import Tables

extension TransactParser {
    /// Parses `OVER (PARTITION BY … ORDER BY …)` after a function.
    mutating func window(
        _ function: TransactWindow.Function, at start: TransactPlace
    ) throws(StatementFault) -> TransactExpression {
        try expect("OVER")
        try expect(symbol: "(")
        var partition: [TransactExpression] = []
        if take("PARTITION") {
            try expect("BY")
            repeat { partition.append(try expression()) } while take(symbol: ",")
        }
        var order: [TransactOrder] = []
        if take("ORDER") {
            try expect("BY")
            order = try self.order()
        }
        if isAt("ROWS") || isAt("RANGE") { throw unsupported("A frame of OVER (ROWS, RANGE)") }
        try expect(symbol: ")")
        if case .function(let name, _) = function, order.isEmpty {
            throw start.fault("`\(name)` needs an ORDER BY in its OVER.")
        }
        return .window(TransactWindow(function: function, partition: partition, order: order), start)
    }
}
