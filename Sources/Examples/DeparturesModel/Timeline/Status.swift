/// The status of a flight, in the order of the board's sections.
public enum Status: String, CaseIterable, Codable, Sendable {
  case boarding, delayed, scheduled, departed, landed, diverted, cancelled

  /// The position on the board.
  public var order: Int {
    switch self {
    case .boarding: 0
    case .delayed: 1
    case .scheduled: 2
    case .departed: 3
    case .landed: 4
    case .diverted: 5
    case .cancelled: 6
    }
  }

  /// The title on the board.
  public var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
