import Tables
import WireTesting

/// One thing that every store does the same.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// The behaviour, as a sentence.
    public let description: String
    private let needs: Need
    private let body: @Sendable (Bench) async throws -> Void

    /// What not every backend has.
    enum Need {
        case nothing, persistence, otherPrograms, looseTypes, statements
    }

    init(_ sentence: String, needs: Need = .nothing, _ body: @escaping @Sendable (Bench) async throws -> Void) {
        self.description = sentence
        self.needs = needs
        self.body = body
    }

    /// Runs the case on a fresh database, and removes that afterwards.
    public func run(on kind: BackendKind) async throws {
        let bench = Bench(try await kind.make())
        do {
            try await body(bench)
        } catch {
            try? await bench.finish()
            throw error
        }
        try await bench.finish()
    }

    func isMeant(for kind: BackendKind) -> Bool {
        switch needs {
        case .nothing: true
        case .persistence: kind.isPersistent
        case .otherPrograms: kind.isShared
        case .looseTypes: kind.isShared && kind.isLooselyTyped
        case .statements: kind.runsStatements
        }
    }
}

/// A case on a backend: what a test is parameterised with.
public struct Trial: Sendable, CustomStringConvertible {
    /// What the case runs on.
    public let kind: BackendKind
    /// What is tried.
    public let conformanceCase: ConformanceCase

    /// The case and the backend, for the list of results.
    public var description: String { "\(conformanceCase) (\(kind))" }

    /// Runs the case on a fresh database.
    public func run() async throws {
        await Self.turns.take()
        defer { Self.turns.giveBack() }
        try await conformanceCase.run(on: kind)
    }

    /// All trials begin at once, and a PostgreSQL store has several connections.
    private static let turns = Turns(40)

    /// Every case on every kind of backend that has what the case needs.
    public static func all(of cases: [ConformanceCase], on kinds: [BackendKind]) -> [Trial] {
        kinds.flatMap { kind in
            cases.filter { $0.isMeant(for: kind) }.map { Trial(kind: kind, conformanceCase: $0) }
        }
    }
}
