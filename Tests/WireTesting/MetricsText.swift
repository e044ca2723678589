/// A page in Prometheus's text format 0.0.4, read as strictly as the format is written down.
public struct MetricsText {
    /// One line with a value.
    public struct Sample: Equatable {
        /// The name with the ending that a histogram's lines have.
        public let name: String
        /// The labels, unescaped.
        public let labels: [String: String]
        /// The value.
        public let value: Double
    }

    /// Why a page isn't one; the line, and what is wrong with it.
    public struct Fault: Error, Equatable {
        /// The line, counted from 1.
        public let line: Int
        /// What is wrong.
        public let reason: String
    }

    /// All values, in their order.
    public private(set) var samples: [Sample] = []
    /// The types of the families, by name.
    public private(set) var types: [String: String] = [:]
    private var helped: Set<String> = []
    private var family = ""

    /// Reads a page.
    public init(_ text: String) throws(Fault) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.last == "" else { throw Fault(line: lines.count, reason: "the last line has no end") }
        for (index, line) in lines.dropLast().enumerated() {
            do throws(Reason) {
                try take(line)
            } catch {
                throw Fault(line: index + 1, reason: error.text)
            }
        }
        do throws(Reason) { try checkHistograms() } catch { throw Fault(line: lines.count, reason: error.text) }
    }

    /// The value of the series with exactly these labels; nil where there is none.
    public func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private struct Reason: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private mutating func take(_ line: Substring) throws(Reason) {
        if line.hasPrefix("#") { return try takeComment(line) }
        let sample = try Self.sample(line)
        let (name, type) = try family(of: sample.name)
        guard name == family else { throw Reason("\(sample.name) stands outside its family") }
        guard type == "histogram" || sample.name == name else { throw Reason("a \(type) has no \(sample.name)") }
        guard !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
            throw Reason("the series is there twice")
        }
        if type == "counter", !(sample.value >= 0) { throw Reason("a counter below 0") }
        samples.append(sample)
    }

    private mutating func takeComment(_ line: Substring) throws(Reason) {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 4, Self.isName(words[2], colons: true) else { throw Reason("neither HELP nor TYPE") }
        switch words[1] {
        case "HELP":
            guard helped.insert(words[2]).inserted, types[words[2]] == nil else { throw Reason("a late HELP") }
            _ = try Self.unescaped(words[3], quotes: false)
        case "TYPE":
            guard ["counter", "gauge", "histogram"].contains(words[3]) else { throw Reason("no such type") }
            guard types.updateValue(words[3], forKey: words[2]) == nil else { throw Reason("a second TYPE") }
            family = words[2]
        default: throw Reason("neither HELP nor TYPE")
        }
    }

    private func family(of name: String) throws(Reason) -> (String, String) {
        if let type = types[name], type != "histogram" { return (name, type) }
        for ending in ["_bucket", "_sum", "_count"] where name.hasSuffix(ending) {
            let stem = String(name.dropLast(ending.count))
            if types[stem] == "histogram" { return (stem, "histogram") }
        }
        throw Reason("\(name) has no TYPE")
    }

    private static func sample(_ line: Substring) throws(Reason) -> Sample {
        let nameEnd = line.firstIndex { $0 == "{" || $0 == " " } ?? line.endIndex
        let name = String(line[..<nameEnd])
        guard isName(name, colons: true) else { throw Reason("no name") }
        var rest = line[nameEnd...]
        var labels: [String: String] = [:]
        if rest.first == "{" {
            repeat {
                rest = rest.dropFirst()
                guard let equals = rest.firstIndex(of: "=") else { throw Reason("a label without a value") }
                let label = String(rest[..<equals])
                rest = rest[equals...].dropFirst()
                guard isName(label, colons: false), rest.first == "\"" else { throw Reason("no label: \(label)") }
                rest = rest.dropFirst()
                var end = rest.startIndex
                while end < rest.endIndex, rest[end] != "\"" {
                    end = rest.index(after: end)
                    if rest[rest.index(before: end)] == "\\", end < rest.endIndex { end = rest.index(after: end) }
                }
                guard labels.updateValue(try unescaped(rest[..<end], quotes: true), forKey: label) == nil else {
                    throw Reason("the label \(label) is there twice")
                }
                rest = rest[end...].dropFirst()
            } while rest.first == ","
            guard rest.first == "}" else { throw Reason("labels without an end") }
            rest = rest.dropFirst()
        }
        guard rest.first == " ", let value = number(rest.dropFirst()) else { throw Reason("no value") }
        return Sample(name: name, labels: labels, value: value)
    }

    private static func number(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: text.allSatisfy { "0123456789.e+-".contains($0) } ? Double(text) : nil
        }
    }

    private static func unescaped(_ text: some StringProtocol, quotes: Bool) throws(Reason) -> String {
        var result = ""
        var characters = text.unicodeScalars.makeIterator()
        while let scalar = characters.next() {
            guard scalar == "\\" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch characters.next() {
            case "\\": result += "\\"
            case "n": result += "\n"
            case "\"" where quotes: result += "\""
            default: throw Reason("no such escape")
            }
        }
        return result
    }

    private static func isName(_ text: String, colons: Bool) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
                || colons && $0 == 58
        }
    }

    /// Buckets are in the order of their bounds and hold those below them; the last one is all.
    private func checkHistograms() throws(Reason) {
        for (name, type) in types where type == "histogram" {
            let buckets = samples.filter { $0.name == "\(name)_bucket" }
            let series = Dictionary(grouping: buckets) { $0.labels.filter { $0.key != "le" } }
            for (labels, buckets) in series {
                let bounds = buckets.compactMap { Self.number(Substring($0.labels["le"] ?? "")) }
                guard bounds.count == buckets.count, bounds.last == .infinity else { throw Reason("no +Inf") }
                guard zip(bounds, bounds.dropFirst()).allSatisfy(<) else { throw Reason("bounds out of order") }
                guard zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }) else {
                    throw Reason("buckets that don't add up")
                }
                guard value("\(name)_count", labels) == buckets.last?.value, value("\(name)_sum", labels) != nil else {
                    throw Reason("no count that equals the last bucket, or no sum")
                }
            }
        }
    }
}
