import HTTPModel
import JSONText
import Scalars
import TableOperations
import Tables

/// Finds rows of the table `movies`: `GET title/TITLE`, `GET date/YEAR/MONTH/DAY`, and `POST moviesOnSameYear` and
/// `POST moviesWithSameDuration` with a movie as the body.
enum MovieFinderAPI {
    static func define(_ api: inout APIDefinition) {
        api.get { request in
            switch (request.path.count, request.path.first) {
            case (2, "title"):
                return try await movies(request, where: "title eq \(request.path[1])", orderBy: "")
            case (4, "date"):
                return try await movies(request, where: "releaseDate eq \(try day(request.path))", orderBy: "")
            default: throw unknownPath
            }
        }
        api.post { request in
            guard request.path.count == 1 else { throw unknownPath }
            let order = request.parameter("orderBy") ?? "title"
            switch request.path[0].lowercased() {
            case "moviesonsameyear":
                let year = try number("year", in: request)
                return try await movies(request, where: "year eq \(year)", orderBy: order)
            case "movieswithsameduration":
                let duration = try number("duration", in: request)
                return try await movies(request, where: "duration eq \(duration)", orderBy: order)
            default: throw unknownPath
            }
        }
    }

    private static var unknownPath: Refusal {
        Refusal(
            .notFound,
            "There is nothing at this path; ask for title/TITLE, date/YEAR/MONTH/DAY, moviesOnSameYear or "
                + "moviesWithSameDuration.")
    }

    private static func movies(
        _ request: APIRequest, where condition: RowFilter, orderBy order: String
    ) async throws -> APIResponse {
        do throws(RowsError) {
            let rows = try await request.tables["movies"].list(where: condition, orderBy: order)
            return .json(["movies": .array(rows.map { JSONValue($0) })])
        } catch {
            switch error {
            case .operation(.table(.query)): throw Refusal(.badRequest, "The movies can't be ordered by that.")
            case .noTable: throw Refusal(.notFound, "There is no table named 'movies'.")
            default: throw error
            }
        }
    }

    /// Returns midnight of the day in the path, which is how the table has dates.
    private static func day(_ path: [String]) throws(Refusal) -> Instant {
        let widths = [4, 2, 2]
        let parts = zip(path.dropFirst(), widths).map { part, width in
            String(repeating: "0", count: max(0, width - part.utf8.count)) + part
        }
        guard let midnight = Instant(parts.joined(separator: "-") + "T00:00:00.000Z") else {
            throw Refusal(.badRequest, "A date has to be YEAR/MONTH/DAY.")
        }
        return midnight
    }

    /// Returns a member of the movie in the body, whose name .NET clients capitalize.
    private static func number(_ name: String, in request: APIRequest) throws(Refusal) -> Int64 {
        let body = try request.json()
        guard case .object = body else { throw Refusal(.badRequest, "The body has to be a movie, a JSON object.") }
        guard let value = body[name] ?? body[name.prefix(1).uppercased() + name.dropFirst()],
            let number = value.integerValue
        else { throw Refusal(.badRequest, "The movie has no whole number named '\(name)'.") }
        return number
    }
}
