import Foundation
import SQLiteLibrary
import Testing

/// Whether all files have a key, so that what holds of a file is tested of an encrypted one.
let encryptsAll = ProcessInfo.processInfo.environment["SIGNALBOX_TEST_KEY"] != nil

/// Gives a connection the key that all files have then.
func giveTestKey(to handle: OpaquePointer?) {
  #if TEST_KEY
  guard encryptsAll else { return }
  let key = "x'" + (0..<32).map { String(format: "%02x", $0) }.joined() + "'"
  sqlite3_key_v2(handle, "main", key, Int32(key.utf8.count))
  #endif
}

extension Trait where Self == ConditionTrait {
  /// For tests that read or edit a file's bytes.
  static var plainFile: Self {
    .disabled(if: encryptsAll, "It looks into a file that isn't encrypted.")
  }
}
