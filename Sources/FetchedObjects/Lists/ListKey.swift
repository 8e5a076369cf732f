/// A value that distinguishes a version of a list from all others, as long as it is held.
struct ListKey: Sendable, Equatable {
  private let object: any AnyObject & Sendable
  private let window: ResultWindow?

  init(_ object: any AnyObject & Sendable, _ window: ResultWindow? = nil) {
    self.object = object
    self.window = window
  }

  static func == (a: ListKey, b: ListKey) -> Bool {
    a.object === b.object && a.window == b.window
  }
}
