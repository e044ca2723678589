// What the parts of a request cost on their own, without HTTP. Usage: zumod-benchmarks [parser] [rows] [store]

import Glibc

let wanted = CommandLine.arguments.dropFirst()
let unknown = wanted.filter { !["parser", "rows", "store"].contains($0) }
guard unknown.isEmpty else {
    print("There is no benchmark \(unknown.joined(separator: ", ")); there are parser, rows and store.")
    exit(64)
}
if wanted.isEmpty || wanted.contains("parser") { try ParserBenchmark.run() }
if wanted.isEmpty || wanted.contains("rows") { try RowBenchmark.run() }
if wanted.isEmpty || wanted.contains("store") { try await StoreBenchmark.run() }
