// The values of fields. In this data, "NA" stands for an unknown value.
extension CSVReader {
  /// Returns the field as text.
  package func text(_ column: Int) -> String {
    let field = fields[column]
    let text = String(decoding: bytes[field.bytes], as: UTF8.self)
    return field.isQuoted ? text.replacing("\"\"", with: "\"") : text
  }

  /// Returns the field as text, which must not be missing.
  package func requiredText(_ column: Int) throws(InputError) -> String {
    guard !isMissing(column) else {
      throw error("the field is empty, but \(name(of: column)) is needed", in: column)
    }
    return text(column)
  }

  /// Returns the field as text, or nil if it is missing.
  package func optionalText(_ column: Int) -> String? {
    isMissing(column) ? nil : text(column)
  }

  /// Returns the field as an integer.
  package func integer(_ column: Int) throws(InputError) -> Int {
    guard let number = wholeNumber(column) else {
      throw error("\"\(text(column))\" is not a whole number (\(name(of: column)))", in: column)
    }
    return number
  }

  /// Returns the field as an integer within bounds.
  package func integer(_ column: Int, in bounds: ClosedRange<Int>) throws(InputError) -> Int {
    let number = try integer(column)
    guard bounds.contains(number) else {
      throw error(
        "\(number) is not between \(bounds.lowerBound) and \(bounds.upperBound)"
          + " (\(name(of: column)))", in: column)
    }
    return number
  }

  /// Returns the field as an integer within bounds, or nil if it is missing.
  package func optionalInteger(_ column: Int, in bounds: ClosedRange<Int>) throws(InputError)
    -> Int?
  {
    isMissing(column) ? nil : try integer(column, in: bounds)
  }

  private func isMissing(_ column: Int) -> Bool {
    let field = fields[column].bytes
    return field.isEmpty
      || field.count == 2 && bytes[field.lowerBound] == UInt8(ascii: "N")
        && bytes[field.lowerBound + 1] == UInt8(ascii: "A")
  }

  private func wholeNumber(_ column: Int) -> Int? {
    var digits = fields[column].bytes
    let isNegative = digits.first.map { bytes[$0] == UInt8(ascii: "-") } ?? false
    if isNegative { digits.removeFirst() }
    // Eighteen digits always fit. No number in the tables has more than five.
    guard (1...18).contains(digits.count) else { return nil }
    var value = 0
    for index in digits {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return isNegative ? -value : value
  }

  private func name(of column: Int) -> String {
    header.first { $0.value == column }?.key ?? "column \(column + 1)"
  }
}

extension CSVReader {
  /// Returns an error about a field in the current row.
  package func error(_ message: String, in column: Int) -> InputError {
    error(message, at: fields[column].bytes.lowerBound)
  }

  /// Returns an error at a byte of the file, with its line and character.
  package func error(_ message: String, at offset: Int) -> InputError {
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
    let line = before.count { $0 == .lineFeed } + 1
    let column = String(decoding: bytes[lineStart..<offset], as: UTF8.self).count + 1
    return InputError(message, file: file, line: line, column: column)
  }
}
