/// All that a view shows of one flight.
struct DetailPage: Sendable {
  struct Field: Hashable, Sendable {
    var name: String
    var text: String

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// Such as `UA 1018`.
  var title: String
  var fields: [Field]
  /// Whether it has left the board; the fields are as they were last.
  var isGone: Bool
  /// What has happened while it was shown, the oldest first.
  var history: [DetailPresenter.Change]
}
