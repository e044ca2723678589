import ZumodServer

let server = try Server(log: { event in if let line = alarm(for: event) { print(line) } })
let reports = Task {
    while (try? await Task.sleep(for: .seconds(60))) != nil {
        for line in report(server.readings()) { print(line) }
    }
}
try await server.run()
reports.cancel()
