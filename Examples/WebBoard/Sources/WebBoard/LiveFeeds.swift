import Foundation
import HTTPServer
import Signalbox
import WebFeeds

/// An event stream, and what wakes its pages.
struct LiveFeed: Sendable {
  let feed: EventStreamFeed
  let waker: HTTPWaker
}

/// The event streams that pages follow, each made once for all pages that ask for the same.
///
/// A stream that nobody follows stays for a while, since its pages may come back.
final class LiveFeeds<Key: Hashable & Sendable>: @unchecked Sendable {
  // @unchecked: the lock protects the variables.
  private let lock = NSLock()
  private var live: [Key: (live: LiveFeed, lastUse: ContinuousClock.Instant)] = [:]
  private let limit: Int
  private let rounds: HTTPRounds

  init(limit: Int, _ rounds: HTTPRounds) {
    self.limit = limit
    self.rounds = rounds
  }

  /// Returns the feed for a key, or nil if pages follow too many different ones.
  ///
  /// - Throws: The error of `make`.
  func feed(for key: Key, make: () throws -> EventStreamFeed) throws -> LiveFeed? {
    if let known = use(key) { return known }
    if lock.withLock({ live.count >= limit && unused.isEmpty }) { return nil }
    // It reads the store, and other pages needn't wait for that.
    let made = try make()
    let new = LiveFeed(feed: made, waker: HTTPWaker(made.didChange, rounds))
    // The feed that makes room is released without the lock.
    var removed: LiveFeed?
    defer { withExtendedLifetime(removed) {} }
    return lock.withLock {
      // Another thread may have made it meanwhile.
      if let known = live[key] { return known.live }
      if live.count >= limit {
        removed = removeOne()
        if removed == nil { return nil }
      }
      live[key] = (new, .now)
      return new
    }
  }

  /// Removes the feeds that nobody has followed for a while, since each costs something with every
  /// commit.
  func removeUnused(for time: Duration = .seconds(30)) {
    let now = ContinuousClock.now
    let removed = lock.withLock {
      for (key, entry) in live where entry.live.waker.clientCount > 0 { live[key]?.lastUse = now }
      let old = live.filter { now - $0.value.lastUse > time }
      for key in old.keys { live[key] = nil }
      return old
    }
    // They are released without the lock.
    withExtendedLifetime(removed) {}
  }

  private func use(_ key: Key) -> LiveFeed? {
    lock.withLock {
      live[key]?.lastUse = .now
      return live[key]?.live
    }
  }

  /// The feeds that nobody follows now; under the lock.
  private var unused: [Key: (live: LiveFeed, lastUse: ContinuousClock.Instant)] {
    live.filter { $0.value.live.waker.clientCount == 0 }
  }

  /// Removes and returns the feed that nobody has followed for the longest time, or nil if all are
  /// followed.
  private func removeOne() -> LiveFeed? {
    guard let oldest = unused.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
    live[oldest.key] = nil
    return oldest.value.live
  }
}
