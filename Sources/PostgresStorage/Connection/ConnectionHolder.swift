/// A thread's connection, made when it is needed and made anew when it broke.
final class ConnectionHolder {
    private let address: PostgresAddress
    private let settings: PostgresSettings
    private var connection: PostgresConnection?
    private var failure: PostgresFailure?
    private var nextAttempt = ContinuousClock.now
    private var pause = ConnectionHolder.shortestPause

    // So that a server that comes back is used within a second, and one that is away isn't stormed.
    private static let shortestPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)

    init(_ address: PostgresAddress, _ settings: PostgresSettings) {
        self.address = address
        self.settings = settings
    }

    /// The connection; fails at once while the last attempt to make one is recent.
    func get() throws(PostgresFailure) -> PostgresConnection {
        if let connection, connection.isAlive { return connection }
        connection = nil
        if let failure, ContinuousClock.now < nextAttempt { throw failure }
        do throws(PostgresFailure) {
            let made = try PostgresConnection(address, settings)
            connection = made
            failure = nil
            pause = Self.shortestPause
            return made
        } catch {
            failure = error
            // Many threads try: they should not all do so at one moment.
            nextAttempt = ContinuousClock.now + pause * Double.random(in: 0.5...1)
            pause = min(pause * 2, Self.longestPause)
            throw error
        }
    }

    /// Ends the connection's transaction where one is open.
    func rollback() {
        connection?.rollback()
    }

    /// Gives a connection up.
    func drop() {
        connection = nil
    }
}
