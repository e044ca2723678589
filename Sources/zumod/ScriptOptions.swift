import ArgumentParser

/// The flag of the commands that read scripts.
struct ScriptOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Serves a project of the Azure Node SDK (with its app.js), or the git folder of a Mobile Service, in the place of \
            the scripts of the configuration.
            """, valueName: "dir"))
    var app: String?
}
