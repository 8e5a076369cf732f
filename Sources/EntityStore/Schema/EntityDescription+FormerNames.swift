internal import Locking

extension EntityDescription {
  /// Checks that the former and dropped names of the schema don't contradict its current names.
  ///
  /// Names are compared as in a file. Two names that Swift treats as equal may be different ones
  /// there. Then the old one is renamed.
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

  /// Returns the bytes of a name with ASCII letters in lowercase, as SQLite compares it.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
