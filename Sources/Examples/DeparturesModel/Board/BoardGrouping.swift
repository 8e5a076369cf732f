/// The kind of the board's sections.
public enum BoardGrouping: String, CaseIterable, Sendable {
  case status, origin, carrier
}
