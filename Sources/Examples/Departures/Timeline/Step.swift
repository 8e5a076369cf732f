/// Something that happens to one flight at one minute.
struct Step: Hashable, Comparable {
  var time: Minute
  var flight: Flight.ID
  var kind: Kind

  enum Kind: Hashable {
    /// It comes to the board, scheduled.
    case show
    /// It is said to leave later than was said before.
    case delay(until: Minute)
    case board
    case depart
    case land
    case divert
    case cancel
    /// It leaves the board.
    case remove
  }

  /// By time, then flight, then kind: a total order, the same in every run.
  static func < (left: Step, right: Step) -> Bool {
    (left.time, left.flight, left.kind.rank) < (right.time, right.flight, right.kind.rank)
  }
}

extension Step.Kind {
  /// Its place among what happens to a flight in one minute.
  var rank: Int {
    switch self {
    case .show: 0
    case .delay: 1
    case .board: 2
    case .depart: 3
    case .land: 4
    case .divert: 5
    case .cancel: 6
    case .remove: 7
    }
  }

  /// The kind of a rank; a delay is announced until `until`.
  init(rank: Int, until: Minute) {
    switch rank {
    case 0: self = .show
    case 1: self = .delay(until: until)
    case 2: self = .board
    case 3: self = .depart
    case 4: self = .land
    case 5: self = .divert
    case 6: self = .cancel
    default: self = .remove
    }
  }

  /// Whether it only brings a flight to the board, or takes it away.
  var isOfBoard: Bool { self == .show || self == .remove }

  /// The status that the flight has after it, or nil if it is gone.
  var status: Status? {
    switch self {
    case .show: .scheduled
    case .delay: .delayed
    case .board: .boarding
    case .depart: .departed
    case .land: .landed
    case .divert: .diverted
    case .cancel: .cancelled
    case .remove: nil
    }
  }
}
