import EntityStore
import Locking
import TestSupport
import Testing

@testable import FetchedObjects

extension PendingChanges {
  fileprivate mutating func popEvent() -> Event? {
    if case .event(let event)? = popNews() { event } else { nil }
  }
}

private struct Fault: Error, Equatable {
  let number: Int
}

extension Int: PendingValue {}

/// A value whose differences note when they are copied.
private struct Tally: PendingValue {
  struct Touched: TouchedRows {
    final class Rows: Sendable {}

    let copies: Counter
    var rows = Rows()

    mutating func formUnion(_ later: Touched) {
      if isKnownUniquelyReferenced(&rows) { return }
      copies.add()
      rows = Rows()
    }
  }
}

private func step(_ turn: Int, _ touched: [StoredValue]? = nil) -> PendingChange<Int> {
  PendingChange(
    turn: turn, versions: Int64(turn)...Int64(turn), after: turn * 10,
    touched: .some(touched ?? [.integer(Int64(turn))]))
}

private func fault(_ turn: Int) -> PendingChange<Int> {
  PendingChange(turn: turn, Fault(number: turn), version: Int64(turn))
}

@Suite struct PendingChangesTests {
  /// Four steps in a place where a round has ended with each turn, or with none.
  private func timeline(endingEach: Bool) -> PendingChanges<Int> {
    var timeline = PendingChanges(0)
    for turn in 1...4 {
      _ = timeline.append(step(turn), lastClosedTurn: endingEach ? turn - 1 : 0)
    }
    return timeline
  }

  @Test func `F11: errors of watching don't push out the error of a version`() {
    ReleasePool.open {
      var timeline = PendingChanges(0)
      timeline.pause()
      _ = timeline.append(fault(1), lastClosedTurn: 0)
      for turn in 2...17 {
        _ = timeline.append(
          PendingChange(turn: turn, Fault(number: turn), version: nil), lastClosedTurn: 0)
      }
      _ = timeline.resume(turn: 18)
      timeline.show(18)
      #expect(timeline.error as? Fault == Fault(number: 1))
    }
  }

  @Test(arguments: [false, true])
  func `F12: a step that joins those that wait copies none of them`(isPaused: Bool) {
    let copies = Counter()
    ReleasePool.open {
      var timeline = PendingChanges(Tally())
      if isPaused { timeline.pause() }
      for turn in 1...1000 {
        let step = PendingChange<Tally>(
          turn: turn, versions: Int64(turn)...Int64(turn), after: Tally(),
          touched: .init(copies: copies))
        _ = timeline.append(step, lastClosedTurn: isPaused ? turn - 1 : 0)
      }
    }
    #expect(copies.value == 0)
  }

  @Test func `A turn shows what has come up to it`() {
    ReleasePool.open {
      var timeline = timeline(endingEach: true)
      #expect(timeline.newest == 40)
      for turn in 1...4 {
        let shown = timeline.show(turn)
        #expect(shown?.after == turn * 10)
        #expect(timeline.shown == turn * 10)
        let event = timeline.popEvent()
        let version = Int64(turn)
        #expect(event?.before == turn * 10 - 10 && event?.after == turn * 10)
        #expect(event?.versions == version...version)
        #expect(event?.touched.ids == [.integer(version)])
        #expect(timeline.popNews() == nil)
      }
      #expect(timeline.show(4) == nil)
    }
  }

  @Test func `F11: a whole result ends an error, though an error of watching comes after it`() {
    ReleasePool.open {
      func isReread(_ later: PendingChange<Int>) -> Bool? {
        var first = PendingChange(
          turn: 1, versions: 1...1, after: 10, touched: .all, isReread: true)
        first.join(later)
        return first.arrival?.isReread
      }
      #expect(isReread(PendingChange(turn: 2, Fault(number: 2), version: nil)) == true)
      #expect(isReread(fault(2)) == false)
      #expect(isReread(step(2)) == true)
    }
  }

  @Test func `Several turns are one event`() {
    ReleasePool.open {
      for endingEach in [true, false] {
        var timeline = timeline(endingEach: endingEach)
        timeline.show(4)
        #expect(timeline.shown == 40)
        let event = timeline.popEvent()
        #expect(event?.before == 0 && event?.after == 40 && event?.versions == 1...4)
        #expect(
          event?.touched.ids.map(Set.init) == [.integer(1), .integer(2), .integer(3), .integer(4)])
        #expect(timeline.popNews() == nil)
      }
    }
  }

  @Test func `F13: the last turn, which may be of the next round, is joined with no other yet`() {
    ReleasePool.open {
      var timeline = timeline(endingEach: false)
      // The round with the first three was taken out just before the fourth came.
      timeline.show(3)
      #expect(timeline.popEvent()?.after == 30)
      timeline.show(4)
      #expect(timeline.popEvent()?.after == 40)
    }
  }

  @Test func `F13: nothing is joined with what belongs to a round that has ended`() {
    ReleasePool.open {
      var timeline = PendingChanges(0)
      for (turn, ended) in [(1, 0), (2, 1), (3, 1), (4, 1), (5, 4), (6, 4), (7, 4)] {
        _ = timeline.append(step(turn), lastClosedTurn: ended)
      }
      for (turn, after) in [(1, 10), (4, 40), (7, 70)] {
        timeline.show(turn)
        #expect(timeline.popEvent()?.after == after)
        #expect(timeline.popNews() == nil)
      }
    }
  }

  @Test func `F6: while it is paused nothing is shown, and what came is one step afterwards`() {
    ReleasePool.open {
      for endingEach in [true, false] {
        var timeline = timeline(endingEach: endingEach)
        timeline.pause()
        timeline.show(4)
        #expect(timeline.shown == 0)
        #expect(timeline.newest == 40)
        let takesTurn = timeline.append(step(5, [.integer(1)]), lastClosedTurn: 4)
        #expect(!takesTurn)
        let hasNews = timeline.resume(turn: 6)
        #expect(hasNews)
        timeline.show(5)
        #expect(timeline.popNews() == nil)
        timeline.show(6)
        let event = timeline.popEvent()
        #expect(event?.before == 0 && event?.after == 50 && event?.versions == 1...5)
        #expect(event?.touched.ids?.count == 4)
        #expect(timeline.popNews() == nil)
        let hasMore = timeline.resume(turn: 7)
        #expect(!hasMore)
      }
    }
  }

  @Test func `F11: an error is reported in its turn, and ends with the next step`() {
    ReleasePool.open {
      var timeline = PendingChanges(0)
      _ = timeline.append(step(1), lastClosedTurn: 0)
      _ = timeline.append(fault(2), lastClosedTurn: 1)
      _ = timeline.append(step(3), lastClosedTurn: 2)
      timeline.show(1)
      #expect(timeline.popEvent()?.after == 10)
      #expect(timeline.popNews() == nil)
      timeline.show(2)
      #expect(timeline.shown == 10)
      #expect(timeline.error as? Fault == Fault(number: 2))
      guard case .error(let error)? = timeline.popNews() else {
        Issue.record("The error isn't told")
        return
      }
      #expect(error as? Fault == Fault(number: 2))
      timeline.show(3)
      #expect(timeline.error == nil)
      let event = timeline.popEvent()
      #expect(event?.after == 30 && event?.endsError == true)
    }
  }

  @Test func `F11: an older step doesn't end an error`() {
    ReleasePool.open {
      var timeline = PendingChanges(0)
      _ = timeline.append(step(1), lastClosedTurn: 0)
      _ = timeline.append(fault(2), lastClosedTurn: 0)
      timeline.show(2)
      #expect(timeline.shown == 10)
      #expect(timeline.error as? Fault == Fault(number: 2))
      _ = timeline.append(step(3), lastClosedTurn: 2)
      timeline.show(3)
      #expect(timeline.error == nil)
    }
  }

  @Test func `F12: what waits for a busy place doesn't grow`() {
    ReleasePool.open {
      var timeline = PendingChanges(0)
      for turn in 1...1000 { _ = timeline.append(step(turn, [.integer(1)]), lastClosedTurn: 0) }
      #expect(timeline.waitingCount <= 2)
      timeline.show(1000)
      #expect(timeline.popEvent()?.touched.ids == [.integer(1)])
      timeline.pause()
      for turn in 1001...2000 {
        _ = timeline.append(step(turn, [.integer(1)]), lastClosedTurn: turn - 1)
      }
      #expect(timeline.waitingCount <= 2)
    }
  }
}
