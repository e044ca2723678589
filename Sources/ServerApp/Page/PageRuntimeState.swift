import DataPage

/// What the data page keeps of the server's life, whatever configuration it has.
struct PageRuntimeState: Sendable {
    let record = PageRecord()
    let log = LogRing()
}
