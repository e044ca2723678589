import Arguments

extension Zumod {
    /// The text of the manual page in addition to the commands.
    static let manual = ManualPage(
        summary: "a server for apps written against Azure Mobile Apps",
        sections: #"""
            .SH SIGNALS
            .TP
            SIGTERM, SIGINT
            The first lets requests under way finish, for half a minute at most; the second stops at once.
            .TP
            SIGHUP
            Reads the configuration again. Where something is wrong with it, the one before stays in force and the log says what.
            .SH FILES
            .TP
            .I /etc/zumod/zumod.yaml
            The settings, where neither \-\-config nor ZUMOD_CONFIG names another folder and the working directory has no
            .IR config .
            .TP
            .I /etc/zumod/tables
            A file for each table.
            .TP
            .I /var/lib/zumod/data/zumod.sqlite3
            The rows, where the service runs on SQLite.
            """#)
}
