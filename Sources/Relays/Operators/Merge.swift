extension Subscribable {
  /// Passes on the values of this publisher and of `others`, in the order in which they come.
  ///
  ///     let taps = button.merge(with: menu, shortcut)
  ///
  /// What a callback sends to two publishers may come in another order than it was sent, if one of
  /// them is the one that delivers: its value waits for the others it has to reach.
  ///
  /// They may be sent on several threads; each subscription gets them one at a time, and ends when
  /// all publishers have. Two subscriptions may see values that are sent at the same time by two
  /// publishers in two orders; ``share()`` gives one order to all.
  ///
  /// - Parameter others: Publishers of the same type of values.
  /// - Returns: a signal that does nothing until it is subscribed to.
  public func merge(with others: any Subscribable<Output>...) -> Signal<Output> {
    Signal.merge([signal] + others.map { $0.signal })
  }
}

extension Signal {
  /// Passes on the values of all `signals`, in the order in which they come.
  ///
  /// It keeps the promises of ``Subscribable/merge(with:)``, for a number of publishers that is
  /// known when the program runs.
  ///
  /// - Parameter signals: The publishers, each as `publisher.signal`; if there are none, the result ends at once.
  /// - Returns: a signal that does nothing until it is subscribed to.
  public static func merge(_ signals: [Signal]) -> Signal {
    Signal { receive, end in
      let mergeCore = MergeCore(of: signals.count, receive, end)
      for signal in signals { mergeCore.join(signal) { mergeCore.core.send($0) } }
      return mergeCore.token
    }
  }
}
