import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

@testable import CacheTracking

@Suite struct `A publisher of a list` {
  private struct Rows: TrackedList {
    let numbers: [Int]
    let version: Int

    var isSectioned: Bool { false }
    var sectionTitles: [String] { [""] }
    var rowCounts: [Int] { [numbers.count] }
    var rowsBySection: [[Int]] { [numbers] }

    subscript(path: ListPath) -> Int { numbers[path.row] }

    func isIdentical(to other: Rows) -> Bool { version == other.version }

    func changes(to other: Rows) -> ListChanges {
      ListDiff(from: numbers, to: other.numbers).changes
    }
  }

  /// A list that gets one number more with each version.
  private final class Source: ListSource {
    private let list = Locked(Rows(numbers: [1], version: 1))
    let pausesItself: Bool
    /// A closure that `resume()` calls.
    let resumes = Locked<@Sendable () -> Void>({})

    init(pausesItself: Bool) { self.pausesItself = pausesItself }

    var shown: Rows { list.withLock { $0 } }

    func pause() {}

    func resume() { resumes.withLock { $0 }() }

    /// Changes the list.
    @discardableResult func grow() -> (before: Rows, after: Rows) {
      list.withLock { list in
        let before = list
        list = Rows(numbers: before.numbers + [before.version + 1], version: before.version + 1)
        return (before, list)
      }
    }

    /// Changes the list, and applies the step to a publisher.
    func grow(_ publisher: ListPublisher<Rows, Int>) {
      let (before, after) = grow()
      publisher.show(after, of: self, from: before) { before.changes(to: after) }
    }
  }

  /// The inserted rows of each published step.
  private let inserts = Log<[Int]>()

  private func make(pausesItself: Bool = false) -> (ListPublisher<Rows, Int>, Source) {
    let publisher = ListPublisher<Rows, Int>(
      queue: .immediate(), hasSubscribers: { true },
      publish: { [inserts] step in inserts.note(step.changes.inserts.map(\.row)) })
    return (publisher, Source(pausesItself: pausesItself))
  }

  @Test func `F10: a pause keeps the list that the source shows, even if it has just been shown`() {
    let (publisher, source) = make()
    publisher.follow(source, tag: 0, .published)
    // Another thread shows this step, and hasn't applied it yet.
    source.grow()
    publisher.pause()
    source.grow()
    #expect(publisher.shown?.numbers == [1, 2])
    publisher.publish()
    #expect(inserts.entries == [[], [1]])
    publisher.resume()
    publisher.catchUp()
    #expect(publisher.shown?.numbers == [1, 2, 3])
    #expect(inserts.entries == [[], [1], [2]])
  }

  @Test(arguments: [false, true])
  func `F10: a pause during resume() leaves the list that a source shows, if that pauses itself`(
    _ pausesItself: Bool
  ) {
    let (publisher, source) = make(pausesItself: pausesItself)
    publisher.follow(source, tag: 0, .published)
    publisher.pause()
    // Another thread pauses, and then the source shows a step that has waited.
    source.resumes.withLock { resumes in
      resumes = { [weak publisher, weak source] in
        guard let publisher, let source else { return }
        publisher.pause()
        source.grow(publisher)
      }
    }
    publisher.resume()
    #expect(publisher.shown?.numbers == (pausesItself ? [1, 2] : [1]))
    source.resumes.withLock { $0 = {} }
    publisher.resume()
    publisher.catchUp()
    #expect(publisher.shown?.numbers == [1, 2])
    #expect(inserts.entries == [[], [1]])
  }

  @Test func `F10: changes are used only if they continue from the published list`() {
    let (publisher, source) = make()
    publisher.follow(source, tag: 0, .published)
    source.grow(publisher)
    publisher.publish()
    publisher.pause()
    // This step isn't applied, and the next one doesn't continue from the published list.
    source.grow(publisher)
    publisher.resume()
    source.grow(publisher)
    publisher.publish()
    #expect(inserts.entries == [[], [1], [2, 3]])
  }

  @Test func `F10: steps that are applied before they are published become one`() {
    let (publisher, source) = make()
    publisher.follow(source, tag: 0, .known)
    source.grow(publisher)
    source.grow(publisher)
    publisher.publish()
    publisher.publish()
    #expect(inserts.entries == [[1, 2]])
  }
}
