/// Numbers of one name that are measured when the page is requested.
public struct MeasuredFamily: Sendable {
    /// The type of the numbers.
    public enum Kind: Sendable {
        case counter, gauge
    }

    let name: String
    private let kind: Kind
    private var samples: [(labels: String, value: Double)] = []

    /// Creates a family without numbers, which doesn't appear on the page.
    public init(_ name: String, _ kind: Kind) {
        self.name = TextFormat.name(name)
        self.kind = kind
    }

    /// Creates a family of one number without labels.
    public init(_ name: String, _ kind: Kind, _ value: Double) {
        self.init(name, kind)
        add([], value)
    }

    /// Adds a number, with distinct labels.
    public mutating func add(_ dimensions: [(String, String)], _ value: Double) {
        samples.append((TextFormat.labels(dimensions), value))
    }

    func write(help: [String: String], to text: inout TextFormat) {
        guard !samples.isEmpty else { return }
        text.family(name, kind == .counter ? .counter : .gauge, help: help[name])
        for sample in samples.sorted(by: { $0.labels < $1.labels }) {
            text.sample(name, sample.labels, TextFormat.number(sample.value))
        }
    }
}
