internal import EntityStore

extension EventStep: CustomStringConvertible {
  /// The step and its event, section or row, as in `insert 0.3: Car(…)`.
  public var description: String {
    switch self {
    case .begin(let event): "begin \(event)"
    case .section(let section, let change): "\(change): \(section)"
    case .row(let row, let change):
      // An entity's view prints harmless text, and other rows may not.
      "\(change): \(row is any ObjectView ? "\(row)" : "\(row)".harmless(atMost: WordLimit.sentence))"
    case .end(let event): "end \(event)"
    }
  }
}
