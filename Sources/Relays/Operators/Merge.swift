extension Subscribable {
  /// Passes on the values of this publisher and of `others`, in the order in which they come.
  ///
  ///     let taps = button.merge(with: menu, shortcut)
  ///
  /// If a callback sends to two publishers, the values may come in another order than they were
  /// sent. That happens if one of the publishers is delivering: its new value waits until the
  /// current one has reached all subscribers.
  ///
  /// Publishers may send on several threads. Each subscription receives the values one at a time,
  /// and ends when all publishers have ended. If two publishers send at the same time, two
  /// subscriptions may see the values in two orders; ``share(replayingLast:)`` gives all of them
  /// one order.
  ///
  /// - Parameter others: Publishers of the same type of values.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func merge(with others: any Subscribable<Output>...) -> Signal<Output> {
    Signal.merge([signal] + others.map { $0.signal })
  }
}

extension Signal {
  /// Passes on the values of all `signals`, in the order in which they come.
  ///
  /// It keeps the promises of ``Subscribable/merge(with:)``, for a number of publishers that is
  /// known only at run time.
  ///
  /// - Parameter signals: The publishers, each as `publisher.signal`. If there are none, the result
  ///   ends at once.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public static func merge(_ signals: [Signal]) -> Signal {
    Signal { receive, end in
      let mergeCore = MergeCore(of: signals.count, receive, end)
      for signal in signals { mergeCore.join(signal) { mergeCore.core.send($0) } }
      return mergeCore.token
    }
  }
}
