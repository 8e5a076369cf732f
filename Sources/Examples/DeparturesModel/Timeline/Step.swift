/// An event of one flight at one minute.
public struct Step: Hashable, Comparable, Sendable {
  /// The minute.
  public var time: Minute
  /// The id of the flight.
  public var flight: Flight.ID
  /// The kind of the step.
  public var kind: Kind

  /// The kinds of steps.
  public enum Kind: Hashable, Sendable {
    /// The flight appears on the board, scheduled.
    case show
    /// A later departure is announced.
    case delay(until: Minute)
    case board
    case depart
    case land
    case divert
    case cancel
    /// The flight leaves the board.
    case remove
  }

  /// Orders steps by time, then flight, then kind.
  ///
  /// This is a total order, the same in every run.
  public static func < (left: Step, right: Step) -> Bool {
    (left.time, left.flight, left.kind.rank) < (right.time, right.flight, right.kind.rank)
  }
}

extension Step.Kind {
  /// The rank among the steps of a flight in one minute.
  public var rank: Int {
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

  /// Creates the kind with a rank.
  ///
  /// `until` is the announced departure of a delay.
  public init(rank: Int, until: Minute) {
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

  /// True if the step only adds a flight to the board or removes it.
  public var isOfBoard: Bool { self == .show || self == .remove }

  /// The status of the flight after the step, or nil if it has left the board.
  public var status: Status? {
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
