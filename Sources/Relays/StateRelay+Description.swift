extension StateRelay: CustomStringConvertible {
  /// The value in one line: `StateRelay(1.0)`.
  ///
  /// Control characters are escaped, and a long value is cut. Observation doesn't record this read.
  public var description: String {
    var words = "StateRelay("
    var count = 0
    for scalar in "\(core.value)".unicodeScalars {
      count += 1
      if count > 1000 { return words + "…)" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        words += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: words.unicodeScalars.append(scalar)
      }
    }
    return words + ")"
  }
}

extension StateRelay: CustomReflectable {
  /// The value and the number of subscriptions, for `dump` and debuggers.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["value": core.value, "subscriptionCount": subscriptionCount],
      displayStyle: .class)
  }
}
