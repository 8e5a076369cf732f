/// The part of a turn that one observer or listener delivers.
struct DeliveryTicket: Sendable {
  private enum Work: Sendable {
    case own(PreparedDelivery.Turn)
    case entry(ListenerEntry)
  }

  let sequence: Int
  private let work: Work

  init(_ turn: PreparedDelivery.Turn, sequence: Int) {
    self.sequence = sequence
    work = .own(turn)
  }

  init(_ entry: ListenerEntry) {
    sequence = entry.sequence
    work = .entry(entry)
  }

  var isOfListener: Bool { if case .entry = work { true } else { false } }

  /// True if it may be delivered together with later turns.
  var mergesWhatWaits: Bool {
    if case .entry(let entry) = work { entry.mergesWhatWaits } else { false }
  }

  func show(_ turn: Int) {
    switch work {
    case .own(let own): own.show()
    case .entry(let entry): entry.listener?.show(turn)
    }
  }

  func deliver() {
    switch work {
    case .own(let own): own.deliver()
    case .entry(let entry): entry.listener?.deliver()
    }
  }
}
