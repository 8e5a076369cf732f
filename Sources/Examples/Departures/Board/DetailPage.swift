/// The content of a view of one flight.
struct DetailPage: Sendable {
  struct Field: Hashable, Sendable {
    var name: String
    var text: String

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// The title, such as `UA 1018`.
  var title: String
  var fields: [Field]
  /// True if the flight has left the board.
  ///
  /// The fields then have their last values.
  var isGone: Bool
  /// The changes while the flight was visible, the oldest first.
  var history: [DetailPresenter.Change]
}
