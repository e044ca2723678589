import OData
import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// Lists of a caller that has seen the row at a stamp.
    public static let seenStamps: [ConformanceCase] = [
        ConformanceCase("the row that bears the seen stamp is left out of the page, not of the count") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let stamp = try await fill(table, of: store)
            var unseen = pull(behind: stamp)
            unseen.seenStamp = nil
            #expect(try await store.list(unseen, in: table).rows.ids == ["b", "c", "d", "e"])
            let page = try await store.list(pull(behind: stamp), in: table)
            #expect(page.rows.ids == ["c", "d", "e"])
            #expect(page.totalCount == 4 && !page.hasMore)
            try await store.delete("c", in: table)
            #expect(try await store.list(pull(behind: stamp), in: table).rows.ids == ["d", "e", "c"])
        },
        ConformanceCase("where the row at the seen stamp was written since, no row is left out") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let stamp = try await fill(table, of: store)
            try await store.update("b", ["text": .text("x")], in: table)
            #expect(try await store.list(pull(behind: stamp), in: table).rows.ids == ["c", "d", "e", "b"])
            try await store.delete("b", in: table)
            #expect(try await store.list(pull(behind: stamp), in: table).rows.ids == ["c", "d", "e", "b"])
        },
        ConformanceCase("where the row at the seen stamp was removed, no row is left out") { bench in
            let (store, table) = try await bench.open(.todo())
            let stamp = try await fill(table, of: store)
            try await store.delete("b", in: table)
            #expect(try await store.list(pull(behind: stamp), in: table).rows.ids == ["c", "d", "e"])
        },
        ConformanceCase("a row that the filter or the scope hides is not the one that was seen") { bench in
            let (store, table) = try await bench.open(.softTodo())
            let stamp = try await fill(table, of: store)
            let notB = Expression.binary(.notEqual, .column("text", at: 0), .literal(.text("b"), at: 0), at: 0)
            var query = pull(behind: stamp)
            query.scope = RowScope(notB)
            #expect(try await store.list(query, in: table).rows.ids == ["c", "d", "e"])
            query = pull(behind: stamp)
            query.filter = query.filter.map { .binary(.and, $0, notB, at: 0) }
            #expect(try await store.list(query, in: table).rows.ids == ["c", "d", "e"])
        },
        ConformanceCase("of rows that share the seen stamp, the first by id is left out", needs: .otherPrograms) {
            bench in
            let (store, table) = try await bench.open(.softTodo())
            let stamp = try await fill(table, of: store)
            try await bench.runUnseen(
                #"UPDATE "TodoItem" SET "updatedAt" = '\#(stamp.wireText)', "version" = "version" + 100"#)
            #expect(try await store.list(pull(behind: stamp), in: table).rows.ids == ["b", "c", "d", "e"])
            var query = pull(behind: stamp)
            query.filter = .binary(
                .and, try #require(query.filter),
                .binary(.greater, .column("text", at: 0), .literal(.text("b"), at: 0), at: 0), at: 0)
            #expect(try await store.list(query, in: table).rows.ids == ["d", "e"])
        },
    ]

    /// For stores that tell places.
    static let seenStampPages = ConformanceCase("the pages behind go on from a row, and leave none out") { bench in
        let (store, table) = try await bench.open(.softTodo())
        let stamp = try await fill(table, of: store)
        var query = pull(behind: stamp)
        query.limit = 1
        var ids: [String] = []
        repeat {
            let page = try await store.list(query, in: table)
            ids += page.rows.ids
            query.after = page.cursor
            if ids == ["c"] { try await store.update("b", ["text": .text("x")], in: table) }
        } while query.after != nil && ids.count < 10
        #expect(ids == ["c", "d", "e", "b"])
    }

    /// - Returns: the stamp of the second row.
    private static func fill(_ table: Table, of store: any TableStore) async throws -> Instant {
        for id in ["a", "b", "c", "d", "e"] { try await store.insert(id, ["text": .text(id)], in: table) }
        return try #require(try await store.find("b", in: table)?.updatedAt)
    }

    private static func pull(behind stamp: Instant) -> TableQuery {
        var query = TableQuery(limit: 10)
        query.filter = .binary(
            .greaterOrEqual, .column("updatedAt", at: 0), .literal(.date(stamp), at: 0), at: 0)
        query.order = [OrderTerm(.column("updatedAt", at: 0))]
        query.includeDeleted = true
        query.wantsCount = true
        query.seenStamp = stamp
        return query
    }
}
