extension Commit: CustomStringConvertible {
  /// The version, the name, and the numbers of changed objects, in one line.
  ///
  /// For example `version 7 "Sell": Car: 1 updated, 2 deleted; Person: 1 inserted`, or
  /// `versions 5 to 7 (external, incomplete): Car: 1 inserted` for external commits whose changes
  /// aren't all known.
  public var description: String {
    var words = versions.versionWords
    if let name { words += " \(StoredValue.text(name).brief)" }
    let notes = [isExternal ? "external" : nil, isComplete ? nil : "incomplete"].compactMap { $0 }
    if !notes.isEmpty { words += " (\(notes.joined(separator: ", ")))" }
    return words + ": \(changes)" + (changes.isEmpty && !isComplete ? " that is known" : "")
  }
}

extension ClosedRange<Int64> {
  /// The version or versions, for people.
  var versionWords: String {
    count == 1 ? "version \(lowerBound)" : "versions \(lowerBound) to \(upperBound)"
  }
}

extension Commit: CustomReflectable {
  /// The public properties, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "versions": versions, "name": name as Any, "isExternal": isExternal,
        "isComplete": isComplete, "changes": changes,
      ], displayStyle: .struct)
  }
}
