internal import Locking

extension Subscribable where Output: Subscribable {
  /// Passes on the values of the latest publisher that this one sent.
  ///
  ///     let results = searchText.map { text in search(text) }.switchToLatest()
  ///
  /// When a publisher comes, the subscription to the previous one is cancelled. No value of the
  /// previous one is passed on after that, not even one that was queued. Publishers may send on
  /// several threads. Each subscription receives the values one at a time, and ends when this
  /// publisher and the latest one have ended.
  ///
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func switchToLatest() -> Signal<Output.Output> {
    let upstream = signal
    return Signal { receive, end in
      let latest = LatestPublisher<Output.Output>()
      let upstreams = CompositeToken()
      upstreams.add(latest.attach(receive, end))
      upstreams.add(SubscriptionToken(source: OnCancel { latest.leave() }))
      upstreams.add(upstream.attach({ latest.follow($0.signal) }, { latest.endOuter() }))
      return SubscriptionToken(source: upstreams)
    }
  }
}

/// The publisher that one subscription to `switchToLatest` follows.
private final class LatestPublisher<Value: Sendable>: @unchecked Sendable {
  /// A value, and the number of its publisher.
  struct Numbered: Sendable {
    let number: Int
    let value: Value
  }

  // @unchecked: everything else is under the core's lock.
  private let number = AtomicWord(0)
  private var token: SubscriptionToken?
  private var isOpen = false
  private var isOuterOpen = true
  private var isLeft = false

  private let core = RelayCore<Numbered>()

  /// Subscribes to the values; one that waited while its publisher was replaced is left out.
  func attach(
    _ receive: @escaping @Sendable (Value) -> Void, _ end: (@Sendable () -> Void)?
  ) -> SubscriptionToken {
    core.attach({ [self] in if $0.number == number.load() { receive($0.value) } }, end)
  }

  /// Follows a publisher instead of the one before; publishers come one at a time.
  func follow(_ signal: Signal<Value>) {
    let (mine, old) = core.lock.withLock {
      isOpen = true
      return (number.add(1), token.take())
    }
    old?.cancel()
    if core.lock.withLock({ isLeft }) { return }
    let new = signal.attach(
      { [self] value in
        core.send(deciding: {
          number.load() == mine ? Numbered(number: mine, value: value) : nil
        })
      }, { [self] in end(mine) })
    let isOver = core.lock.withLock {
      if !isLeft { token = new }
      return isLeft
    }
    if isOver { new.cancel() }
  }

  /// Notes that a publisher has ended.
  private func end(_ mine: Int) {
    let isLast = core.lock.withLock {
      if number.load() == mine { isOpen = false }
      return !isOpen && !isOuterOpen
    }
    if isLast { core.end() }
  }

  /// Notes that no publisher can come any more.
  func endOuter() {
    let isLast = core.lock.withLock {
      isOuterOpen = false
      return !isOpen
    }
    if isLast { core.end() }
  }

  /// Cancels the subscription to the publisher, for good.
  func leave() {
    let old = core.lock.withLock {
      isLeft = true
      return token.take()
    }
    old?.cancel()
  }
}
