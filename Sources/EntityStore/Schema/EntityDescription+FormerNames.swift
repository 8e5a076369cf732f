internal import Locking

extension EntityDescription {
  /// Checks that the former and dropped names of the schema don't contradict its current names.
  ///
  /// Names are compared as in a file. Two names that Swift treats as equal may be different ones
  /// there. Then the old one is renamed.
  func checkFormerNames() {
    let names = Set(columns.map { FoldedName($0.name) })
    for dropped in droppedNames {
      mustHold(
        !names.contains(FoldedName(dropped)),
        "\(name).\(dropped) is an attribute and dropped; take it out of .dropped")
    }
    var claimed: [FoldedName: String] = [:]
    for column in columns {
      for former in column.formerNames {
        mustHold(
          FoldedName(former) != FoldedName(column.name),
          "\(name).\(column.name) is renamed from its own name; name the one it had before")
        let other = claimed.updateValue(column.name, forKey: FoldedName(former))
        mustHold(
          other == nil,
          "\(name).\(column.name) and \(other ?? "") are both renamed from \"\(former)\"; one of them "
            + "has its values")
      }
    }
    mustHold(
      !formerNames.contains { FoldedName($0) == FoldedName(name) },
      "\(name) is renamed from its own name; name the one it had before")
  }
}
