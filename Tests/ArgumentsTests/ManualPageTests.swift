import Foundation
import Testing

@testable import Arguments

@Suite("The manual page")
struct ManualPageTests {
    @Test func `has the program, its commands with their parameters, and the sections that it is given`() async {
        let answer = await Tool().answer(["--generate-manual"])
        #expect(answer.code == 0 && answer.errors == "")
        #expect(
            answer.output.hasPrefix(
                #"""
                .TH TOOL 1 "" "tool 1.2.3" "User commands"
                .SH NAME
                tool \- a tool \- of sorts
                .SH SYNOPSIS
                .B tool
                .I command
                [\fIoption\fR ...]
                .SH DESCRIPTION
                Does things.
                .PP
                More on it.
                .SH COMMANDS
                .SS copy
                Copies.
                .PP
                One paragraph.

                Another.
                .TP
                \fIfrom\fR
                What to copy.
                .TP
                \fIrest\fR
                More of it.
                .TP
                \fB\-\-into\fR \fIplace\fR
                Where it goes.
                .TP

                """#))
        #expect(answer.output.contains("\n.TP\n\\fB\\-\\-force\\fR\nEven where something is there.\n"))
        #expect(answer.output.contains("\n.SS box list\nLists.\n.TP\n"))
        #expect(answer.output.hasSuffix("\n.SH SEE ALSO\nelsewhere\n"))
        #expect(!answer.output.contains(".SS help"))
    }

    @Test func `nothing in a text is taken for a command of troff`() {
        let command = Command("x", "A \\ and a -.", discussion: ".TH at the begin\n'and here", String?.none, []) { _ in
        }
        let root = Command("y", "Y.", [command])
        let page = ManualPage(summary: "", sections: "").text(of: root, version: "y-1")
        #expect(page.contains("\n.SS x\nA \\e and a \\-.\n.PP\n\\&.TH at the begin\n\\&'and here\n"))
    }
}
