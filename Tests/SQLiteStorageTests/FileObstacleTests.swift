import Testing

@testable import SQLiteStorage

@Suite struct `A path in a command that is advised` {
    @Test(arguments: [
        ("/data/zumod.sqlite3", "/data/zumod.sqlite3"), ("/my data", "'/my data'"), ("it's", #"'it'\''s'"#), ("", "''"),
        ("$(reboot)", "'$(reboot)'"),
    ])
    func `is one word to a shell`(_ path: String, word: String) {
        #expect(ShellWord.quoted(path) == word)
    }
}
