import Foundation
import Synchronization
import Testing

@testable import AuthAPI

@Suite struct `Checks of passwords` {
    /// Has the only thread busy until it is told.
    private final class Obstacle: Sendable {
        private let began = DispatchSemaphore(value: 0)
        private let mayEnd = DispatchSemaphore(value: 0)

        func stand() -> Bool {
            began.signal()
            mayEnd.wait()
            return true
        }

        func awaitBeginning() async {
            await withCheckedContinuation { continuation in
                Thread { [began] in
                    began.wait()
                    continuation.resume()
                }.start()
            }
        }

        func remove() { mayEnd.signal() }
    }

    /// What ran, in its order.
    private final class Notes: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    private static func wait(until passwords: Passwords, haveWaiting count: Int) async {
        while passwords.waiting != count { await Task.yield() }
    }

    @Test func `run on all cores but one`() async {
        #expect(Passwords.threads == max(1, ProcessInfo.processInfo.activeProcessorCount - 1))
        let passwords = Passwords(threads: 2)
        let (one, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first = passwords.check(from: "a") {
            one.signal()
            other.wait()
            return true
        }
        async let second = passwords.check(from: "a") {
            other.signal()
            one.wait()
            return false
        }
        #expect(await first == true)
        #expect(await second == false)
    }

    @Test func `of one address delay another's by one`() async {
        let passwords = Passwords(threads: 1, patience: .seconds(600))
        let order = Notes()
        let obstacle = Obstacle()
        await withTaskGroup { group in
            group.addTask { _ = await passwords.check(from: "flood") { obstacle.stand() } }
            await obstacle.awaitBeginning()
            for _ in 0..<70 {
                group.addTask {
                    _ = await passwords.check(from: "flood") {
                        order.add("flood")
                        return false
                    }
                }
            }
            await Self.wait(until: passwords, haveWaiting: PasswordQueue<Attempt>.mostOfAddress)
            group.addTask {
                let answer = await passwords.check(from: "user") {
                    order.add("user")
                    return true
                }
                #expect(answer == true)
            }
            await Self.wait(until: passwords, haveWaiting: PasswordQueue<Attempt>.mostOfAddress + 1)
            obstacle.remove()
        }
        #expect(order.all.prefix(2).contains("user"))
        #expect(order.all.count == PasswordQueue<Attempt>.mostOfAddress + 1)
    }

    @Test func `are not made where they waited too long`() async {
        let passwords = Passwords(threads: 1, patience: .zero)
        let checked = Notes()
        let answer = await passwords.check(from: "a") {
            checked.add("one")
            return true
        }
        #expect(answer == nil)
        #expect(checked.all.isEmpty)
    }

    @Test func `are not made for a client that has hung up`() async {
        let passwords = Passwords(threads: 1, patience: .seconds(600))
        let obstacle = Obstacle()
        let checked = Notes()
        let first = Task { await passwords.check(from: "a") { obstacle.stand() } }
        await obstacle.awaitBeginning()
        let second = Task {
            await passwords.check(from: "b") {
                checked.add("one")
                return true
            }
        }
        await Self.wait(until: passwords, haveWaiting: 1)
        second.cancel()
        #expect(await second.value == nil)
        #expect(passwords.waiting == 0)
        obstacle.remove()
        #expect(await first.value == true)
        #expect(checked.all.isEmpty)
    }

    struct Attempt: Identifiable {
        let id: Int
    }

    @Test func `that wait are no more than the queue holds, and a new address finds a place`() throws {
        var queue = PasswordQueue<Attempt>()
        var id = 0
        func add(_ address: String) -> Attempt? {
            id += 1
            return queue.add(Attempt(id: id), of: address)
        }
        for address in 0..<10 { for _ in 0..<30 { #expect(add("\(address)") == nil) } }
        #expect(queue.count == PasswordQueue<Attempt>.mostWaiting)
        #expect(add("3")?.id == id)
        let given = try #require(add("new"))
        #expect(given.id != id)
        #expect(queue.count == PasswordQueue<Attempt>.mostWaiting)
        #expect(add("new")?.id == id)
        var turns: [Int] = []
        while let next = queue.next() { turns.append(next.id) }
        #expect(turns.count == 300)
        #expect(turns.firstIndex(of: 302) == 10)
        #expect(queue.count == 0)
    }
}
