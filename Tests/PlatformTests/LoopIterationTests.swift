import Platform
import Testing

@Suite struct `What requests of one turn share` {
    private final class Note: LoopIteration.Share {
        private(set) var ends = 0
        private let then: () -> Void

        init(then: @escaping () -> Void = {}) {
            self.then = then
        }

        func turnEnds() {
            ends += 1
            then()
        }
    }

    private final class OtherNote: LoopIteration.Share {
        private(set) var ends = 0

        func turnEnds() { ends += 1 }
    }

    @Test func `things of several kinds are there until the end, and end once`() {
        let (turn, note, other) = (LoopIteration(), Note(), OtherNote())
        turn.keep(note)
        turn.keep(other)
        #expect(turn.shared(as: Note.self) { _ in true } === note)
        #expect(turn.shared(as: OtherNote.self) { _ in true } === other)
        turn.end()
        turn.end()
        #expect(note.ends == 1 && other.ends == 1)
        #expect(turn.shared(as: Note.self) { _ in true } == nil)
    }

    @Test func `a second one of a kind ends the first`() {
        let (turn, first, second) = (LoopIteration(), Note(), Note())
        turn.keep(first)
        turn.keep(second)
        #expect(first.ends == 1 && second.ends == 0)
        #expect(turn.shared(as: Note.self) { _ in true } === second)
        turn.end()
        #expect(second.ends == 1)
    }

    @Test func `what begins while the turn ends is ended with it`() {
        let (turn, late) = (LoopIteration(), OtherNote())
        turn.keep(Note { turn.keep(late) })
        turn.end()
        #expect(late.ends == 1)
    }
}
