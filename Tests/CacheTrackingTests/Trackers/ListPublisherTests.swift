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

    func isIdentical(to other: Rows) -> Bool { version == other.version }

    func changes(to other: Rows) -> ListChanges {
      ListDiff(from: numbers, to: other.numbers).changes
    }
  }

  /// A list that gets one number more with each version.
  private final class Source: ListSource {
    private let list = Locked(Rows(numbers: [1], version: 1))

    var shown: Rows { list.withLock { $0 } }

    /// Changes the list, and applies the step to a publisher.
    func grow(_ publisher: ListPublisher<Rows, Int>) {
      let (before, after) = list.withLock { list in
        let before = list
        list = Rows(numbers: before.numbers + [before.version + 1], version: before.version + 1)
        return (before, list)
      }
      publisher.show(after, of: self, from: before) { before.changes(to: after) }
    }
  }

  /// The inserted rows of each published step.
  private let inserts = Log<[Int]>()

  private func make() -> (ListPublisher<Rows, Int>, Source) {
    let publisher = ListPublisher<Rows, Int>(
      queue: .immediate(), hasSubscribers: { true },
      publish: { [inserts] step in inserts.note(step.changes.inserts.map(\.row)) })
    return (publisher, Source())
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
