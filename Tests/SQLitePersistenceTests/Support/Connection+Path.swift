@testable import SQLitePersistence

extension Connection {
  /// Opens the file at a path, as most tests need it.
  convenience init(path: String, _ access: Access) throws {
    try self.init(DatabaseFile(path), access)
  }
}
