internal import Locking

extension EntityDescription {
  /// Checks that what the schema says of the past doesn't contradict what it says of today.
  ///
  /// Names are compared as a file does: one that Swift holds to be the same may be another one there, which
  /// is renamed then.
  func checkFormerNames() {
    let names = Set(columns.map { Self.folded($0.name) })
    for dropped in droppedNames {
      mustHold(
        !names.contains(Self.folded(dropped)),
        "\(name).\(dropped) is an attribute and dropped; take it out of .dropped")
    }
    var claimed: [[UInt8]: String] = [:]
    for column in columns {
      for former in column.formerNames {
        mustHold(
          Self.folded(former) != Self.folded(column.name),
          "\(name).\(column.name) is renamed from its own name; name the one it had before")
        let other = claimed.updateValue(column.name, forKey: Self.folded(former))
        mustHold(
          other == nil,
          "\(name).\(column.name) and \(other ?? "") are both renamed from \"\(former)\"; one of them "
            + "has its values")
      }
    }
    mustHold(
      !formerNames.contains { Self.folded($0) == Self.folded(name) },
      "\(name) is renamed from its own name; name the one it had before")
  }

  /// The bytes of a name, with small letters of ASCII, as SQLite compares it.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
