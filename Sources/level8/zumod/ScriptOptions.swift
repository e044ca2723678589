import Arguments

/// The flag of the commands that read scripts.
struct ScriptOptions: Sendable {
    var app: String?

    static let parameters: [Parameter<ScriptOptions>] = [
        .option(
            "app", "dir",
            """
            Serves a project of the Azure Node SDK (with its app.js), or the git folder of a Mobile Service, in the place of \
            the scripts of the configuration.
            """, of: .folder, to: \.app)
    ]
}
