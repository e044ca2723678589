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
        let (iteration, note, other) = (LoopIteration(), Note(), OtherNote())
        iteration.keep(note)
        iteration.keep(other)
        #expect(iteration.shared(as: Note.self) { _ in true } === note)
        #expect(iteration.shared(as: OtherNote.self) { _ in true } === other)
        iteration.end()
        iteration.end()
        #expect(note.ends == 1 && other.ends == 1)
        #expect(iteration.shared(as: Note.self) { _ in true } == nil)
    }

    @Test func `a second one of a kind ends the first`() {
        let (iteration, first, second) = (LoopIteration(), Note(), Note())
        iteration.keep(first)
        iteration.keep(second)
        #expect(first.ends == 1 && second.ends == 0)
        #expect(iteration.shared(as: Note.self) { _ in true } === second)
        iteration.end()
        #expect(second.ends == 1)
    }

    @Test func `what begins while the turn ends is ended with it`() {
        let (iteration, late) = (LoopIteration(), OtherNote())
        iteration.keep(Note { iteration.keep(late) })
        iteration.end()
        #expect(late.ends == 1)
    }
}
