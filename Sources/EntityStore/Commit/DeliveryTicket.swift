/// The part of a turn that one observer or listener delivers.
struct DeliveryTicket: Sendable {
  private enum Work: Sendable {
    case own(@Sendable () -> Void)
    case listener(ListenerEntry.Recipient)
  }

  let sequence: Int
  private let work: Work

  init(_ deliver: @escaping @Sendable () -> Void, sequence: Int) {
    self.sequence = sequence
    work = .own(deliver)
  }

  init(_ entry: ListenerEntry) {
    sequence = entry.recipient.sequence
    work = .listener(entry.recipient)
  }

  var isOfListener: Bool { if case .listener = work { true } else { false } }

  /// True if it may be delivered together with later turns.
  var mergesWhatWaits: Bool {
    if case .listener(let recipient) = work { recipient.mergesWhatWaits } else { false }
  }

  func show(_ turn: Int) {
    if case .listener(let recipient) = work { recipient.listener?.show(turn) }
  }

  func deliver() {
    switch work {
    case .own(let deliver): deliver()
    case .listener(let recipient): recipient.listener?.deliver()
    }
  }
}
