internal import Foundation

/// The order of text in a locale, made a strict weak order.
///
/// Foundation's comparison isn't one on every system: by default it takes accents apart and compares
/// what stands behind the letters they have in common, so that Swedish "aö" comes before "z" and after
/// "å", which comes after "z". Compared literally, in composed form and without characters that aren't
/// seen, text is in a strict weak order; the tests try that on hostile text in ten locales. Numbers and
/// case are looked at here, since with Foundation's options for these it is none again.
struct LocalizedOrder: Sendable {
  private let locale: Locale
  /// Whether the small letter of I is the one without a dot.
  private let isTurkic: Bool

  init(_ locale: Locale) {
    self.locale = locale
    isTurkic = ["tr", "az"].contains(locale.language.languageCode?.identifier)
  }

  /// Negative, 0 or positive as `a` comes before, with or after `b`.
  func compare(_ a: String, _ b: String) -> Int {
    compareVisible(Self.visible(a), Self.visible(b))
  }

  /// The same with numbers by their value, and with case and width only where all else is equal.
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

  /// The text in small letters of the usual width.
  private func folded(_ text: String) -> String {
    var text = text
    if !text.utf8.allSatisfy({ $0 < 0xEF }) {
      // Wide forms, among others.
      text = text.folding(options: .widthInsensitive, locale: nil)
    }
    return Self.visible(isTurkic ? text.lowercased(with: locale) : text.lowercased())
  }

  /// The text in composed form, without control characters and what else has no look of its own.
  private static func visible(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy(isPlain) { return text }
    let scalars = text.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
    }
    return String(String.UnicodeScalarView(scalars)).precomposedStringWithCanonicalMapping
  }

  /// Whether a scalar has a look and is composed: most of Latin script.
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
