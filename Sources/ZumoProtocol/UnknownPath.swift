public import HTTPModel

extension ErrorBody {
    /// The answer if no route has anything at the path.
    public static func unknownPath(in generation: Generation) -> HTTPResponse {
        let sentence =
            switch generation.manners {
            case .services: "Not Found"
            case .apps: "There is nothing at this path; rows are at /tables/NAME and /tables/NAME/ID."
            }
        return response(.notFound, .pathUnknown, sentence, in: generation)
    }
}
