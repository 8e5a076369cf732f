/// An error in a text that a user has typed.
enum ViewModelError: Error, Hashable, CustomStringConvertible {
  case empty(field: String)
  case invalidDate(String)
  case invalidMileage(String)

  var description: String {
    switch self {
    case .empty(let field): "The \(field) needs a name."
    case .invalidDate(let text): "\"\(text)\" is not a day like 04 05 1980 or 1980-05-04."
    case .invalidMileage(let text): "\"\(text)\" is not a number of kilometres."
    }
  }

  /// Returns the text without surrounding whitespace.
  ///
  /// It throws if nothing remains.
  static func checked(_ text: String, as field: String) throws(ViewModelError) -> String {
    let text = trimmed(text)
    if text.isEmpty { throw .empty(field: field) }
    return text
  }
}

/// The format of days for users: day, month, year.
///
/// A day with the year first, as files have it, is understood, too.
enum DayFormat {
  static func text(_ day: Day) -> String {
    "\(padded(day.day, 2)) \(padded(day.month, 2)) \(padded(day.year, 4))"
  }

  static func day(_ text: String) -> Day? {
    var texts = text.split { " ./-".contains($0) }
    if texts.first?.count == 4 { texts.reverse() }
    let parts = texts.map { Int($0) }
    guard parts.count == 3, let day = parts[0], let month = parts[1], let year = parts[2] else {
      return nil
    }
    return Day(year: year, month: month, day: day)
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

/// The format of mileages for users, in kilometres.
enum MileageFormat {
  static func text(_ mileage: Int) -> String {
    var groups: [Substring] = []
    var digits = "\(mileage)"[...]
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = digits.dropLast(3)
    }
    return ([digits] + groups).joined(separator: ",") + " km"
  }

  /// Returns the mileage, or nil if the text isn't a whole number from 0, with or without commas
  /// and unit.
  static func mileage(_ text: String) -> Int? {
    var digits = trimmed(text)[...]
    if digits.hasSuffix("km") { digits = trimmed(String(digits.dropLast(2)))[...] }
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ",") }) else { return nil }
    return Int(digits.filter { $0 != "," })
  }
}

/// Returns the text without surrounding whitespace.
func trimmed(_ text: String) -> String {
  var text = text[...]
  while text.first?.isWhitespace ?? false { text.removeFirst() }
  while text.last?.isWhitespace ?? false { text.removeLast() }
  return String(text)
}
