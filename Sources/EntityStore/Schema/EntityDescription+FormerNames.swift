extension EntityDescription {
  /// Checks that what the schema says of the past doesn't contradict what it says of today.
  func checkFormerNames() {
    let names = Set(columns.map { $0.name.lowercased() })
    for dropped in droppedNames {
      precondition(
        !names.contains(dropped.lowercased()),
        "\(name).\(dropped) is an attribute and dropped; take it out of .dropped")
    }
    var claimed: [String: String] = [:]
    for column in columns {
      for former in column.formerNames {
        precondition(
          former.lowercased() != column.name.lowercased(),
          "\(name).\(column.name) is renamed from its own name; name the one it had before")
        let other = claimed.updateValue(column.name, forKey: former.lowercased())
        precondition(
          other == nil,
          "\(name).\(column.name) and \(other ?? "") are both renamed from \"\(former)\"; one of them "
            + "has its values")
      }
    }
    precondition(
      !formerNames.contains { $0.lowercased() == name.lowercased() },
      "\(name) is renamed from its own name; name the one it had before")
  }
}
