import Dispatch
import Glibc

/// SIGTERM, SIGINT and SIGHUP (a terminal that closes) as a sequence: the first asks the server to drain, the second to stop at once.
final class StopSignals {
    let arrivals: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// Takes the signals over from their default, which is to end the process.
    init() {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.arrivals = arrivals
        sources = [SIGTERM, SIGINT, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    /// Stops looking; the signals are ignored from then on.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
