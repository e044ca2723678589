import Tables

extension ReferenceStore {
    func keep(_ query: StoredQuery) async throws(TableError) -> Bool {
        try alone { state in
            if let kept = state.queries[query.reference], kept.end >= query.renewal { return true }
            state.queries = state.queries.filter { $0.value.end >= query.now }
            let others = state.queries.values.map(\.query)
            let all = others.reduce(query.bytes) { $0 + $1.bytes }
            let own = others.reduce(query.bytes) { $0 + ($1.asker == query.asker ? $1.bytes : 0) }
            let hasRoom = own <= StoredQuery.askerBytes && all <= StoredQuery.allBytes
            guard hasRoom || state.queries[query.reference] != nil else { return false }
            state.queries[query.reference] = (query, query.end)
            return true
        }
    }

    func keptQuery(_ reference: String) async throws(TableError) -> String? {
        try alone { $0.queries[reference]?.query.text }
    }
}
