internal import Foundation

/// The order of text in a locale, made a strict weak order.
///
/// Foundation's comparison isn't a strict weak order on every system. By default it separates
/// accents from their letters, and compares what follows the letters that the texts have in common.
/// So Swedish "aö" comes before "z" and after "å", which comes after "z". If text is compared
/// literally, in composed form and without invisible characters, the order is a strict weak one.
/// The tests check that on hostile text in ten locales. Numbers and case are compared here, because
/// with Foundation's options for them the order isn't a strict weak one.
struct LocalizedOrder: Sendable {
  private let locale: Locale
  /// True if the small letter of I is the one without a dot.
  private let isTurkic: Bool

  init(_ locale: Locale) {
    self.locale = locale
    isTurkic = ["tr", "az"].contains(locale.language.languageCode?.identifier)
  }

  /// Returns a negative number, 0 or a positive number if `a` comes before, with or after `b`.
  func compare(_ a: String, _ b: String) -> Int {
    compareVisible(Self.visible(a), Self.visible(b))
  }

  /// Compares numbers by their value, and case and width only if all else is equal.
  ///
  /// The result is like that of `compare`.
  func compareNaturally(_ a: String, _ b: String) -> Int {
    let (a, b) = (Self.visible(a), Self.visible(b))
    var restOfA = Substring(a).unicodeScalars
    var restOfB = Substring(b).unicodeScalars
    while !restOfA.isEmpty && !restOfB.isEmpty {
      let words = compareWords(
        Self.removeFirst(&restOfA, while: { !Self.isDigit($0) }),
        Self.removeFirst(&restOfB, while: { !Self.isDigit($0) }))
      if words != 0 { return words }
      let numbers = Self.compareNumbers(
        Self.removeFirst(&restOfA, while: Self.isDigit),
        Self.removeFirst(&restOfB, while: Self.isDigit))
      if numbers != 0 { return numbers }
    }
    if restOfA.isEmpty != restOfB.isEmpty { return restOfA.isEmpty ? -1 : 1 }
    return compareVisible(a, b)
  }

  private func compareVisible(_ a: String, _ b: String) -> Int {
    a.compare(b, options: .literal, range: nil, locale: locale).rawValue
  }

  private func compareWords(_ a: Scalars, _ b: Scalars) -> Int {
    a.elementsEqual(b) ? 0 : compareVisible(folded(String(a)), folded(String(b)))
  }

  /// Returns the text in small letters of the usual width, with "ss" for "ß" and "σ" for "ς".
  ///
  /// Letters with the same capitals become the same letters.
  private func folded(_ text: String) -> String {
    var text = text
    if !text.utf8.allSatisfy({ $0 < 0xEF }) {
      // These are wide forms, among others.
      text = text.folding(options: .widthInsensitive, locale: nil)
    }
    let small = lowercased(text)
    // In ASCII, a small letter is that of its capital.
    if small.utf8.allSatisfy({ $0 < 0x80 }) { return Self.visible(small) }
    if isTurkic { return Self.visible(lowercased(small.uppercased(with: locale))) }
    // "ı" shares its capital with "i", and is another letter nevertheless.
    let parts = small.unicodeScalars.split(separator: "\u{131}", omittingEmptySubsequences: false)
    return Self.visible(
      parts.map { String($0).uppercased().lowercased() }.joined(separator: "\u{131}"))
  }

  private func lowercased(_ text: String) -> String {
    isTurkic ? text.lowercased(with: locale) : text.lowercased()
  }

  /// Returns the text in composed form, without control characters and other invisible characters.
  private static func visible(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy(isPlain) { return text }
    let scalars = text.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
    }
    return String(String.UnicodeScalarView(scalars)).precomposedStringWithCanonicalMapping
  }

  /// Returns true if a scalar is visible and composed, as most of Latin script is.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF: true
    default: false
    }
  }

  // MARK: Numbers

  private typealias Scalars = Substring.UnicodeScalarView

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39: true
    case 0..<0x660: false
    default: scalar.properties.numericType == .decimal
    }
  }

  private static func removeFirst(
    _ text: inout Scalars, while holds: (Unicode.Scalar) -> Bool
  ) -> Scalars {
    let part = text.prefix(while: holds)
    text = text[part.endIndex...]
    return part
  }

  /// Compares the values of two runs of digits, which may be too long for any integer.
  private static func compareNumbers(_ a: Scalars, _ b: Scalars) -> Int {
    if a.isEmpty || b.isEmpty { return a.isEmpty == b.isEmpty ? 0 : (a.isEmpty ? -1 : 1) }
    let (a, b) = (significantDigits(a), significantDigits(b))
    if a.count != b.count { return a.count < b.count ? -1 : 1 }
    return a.lexicographicallyPrecedes(b) ? -1 : (b.lexicographicallyPrecedes(a) ? 1 : 0)
  }

  private static func significantDigits(_ number: Scalars) -> ArraySlice<Double> {
    number.compactMap(\.properties.numericValue).drop { $0 == 0 }
  }
}
