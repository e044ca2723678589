public import Tables
public import WireTesting

extension Patience {
    /// Calls a store until the answer is another than that the time was over, which a busy machine takes from the call:
    /// three hundred times at most.
    public static func inTime<Value>(
        isolation: isolated (any Actor)? = #isolation, unless isLate: (TableError) -> Bool,
        _ call: () async throws(TableError) -> Value
    ) async throws(TableError) -> Value {
        for _ in 0..<300 {
            do throws(TableError) {
                return try await call()
            } catch {
                guard isLate(error) else { throw error }
            }
        }
        return try await call()
    }
}
