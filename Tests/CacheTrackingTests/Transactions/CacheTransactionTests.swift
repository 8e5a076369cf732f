import CacheTracking
import Foundation
import ListDiffing
import TestSupport
import Testing

@Suite struct `Cache transactions` {
  private static let changes: [(RowChange, ChangeKind, ListPath?, ListPath?)] = [
    (.insert(at: path(1)), .insert, nil, path(1)),
    (.delete(from: path(2)), .delete, path(2), nil),
    (.update(from: path(3), to: path(4)), .update, path(3), path(4)),
    (.move(from: path(5), to: path(0)), .move, path(5), path(0)),
  ]

  @Test(arguments: changes)
  func `D1 A kind has the paths it needs and no others`(
    change: RowChange, kind: ChangeKind, old: ListPath?, new: ListPath?
  ) {
    let transaction = CacheTransaction(object: "Golf", objectType: "Car", change: change)
    #expect(transaction.changeType == kind)
    #expect(transaction.oldIndexPath == old)
    #expect(transaction.updatedIndexPath == new)
    #expect(transaction.objectType == "Car")
    #expect(transaction.object == "Golf")
  }

  @Test func `S6 Whatever its object is, a transaction prints in a short line`() {
    let long = String(repeating: "x", count: 100_000)
    for (object, words) in [
      ("a\n\u{1B}[2J\u{202E}\u{85}b", #"a\n\u{1B}[2J\u{202E}\u{85}b"#),
      ("👩‍👩‍👧 é", "👩‍👩‍👧 é"), (long, long.prefix(1000) + "…"),
    ] {
      let transaction = CacheTransaction(
        object: object, objectType: "Text", change: .insert(at: path(1)))
      #expect("\(transaction)" == "\(RowChange.insert(at: path(1))): \(words)")
      let items = ListItem.numbering([object, object])
      #expect(items.map(\.description) == [String(words), "\(words) (copy 1)"])
      let diff = ListDiff(from: [object, object], to: [String]())
      #expect(diff.duplicates.map(\.description) == ["\(words) at [0, 1], then at []"])
    }
  }

  @Test func `A transaction survives encoding`() throws {
    for (change, _, _, _) in Self.changes {
      let transaction = CacheTransaction(object: "Golf", objectType: "Car", change: change)
      let data = try JSONEncoder().encode(transaction)
      #expect(try JSONDecoder().decode(CacheTransaction<String>.self, from: data) == transaction)
    }
    #expect(
      "\(Self.changes.map { "\($0.0)" }.joined(separator: ", "))"
        == "insert 0.1, delete 0.2, update 0.3 → 0.4, move 0.5 → 0.0")
  }

  @Test func `A written transaction without the name of its type is refused`() throws {
    let text =
      #"{"object": 1, "objectType": "", "change": {"insert": {"at": {"section": 0, "row": 0}}}}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CacheTransaction<Int>.self, from: Data(text.utf8))
    }
  }
}
