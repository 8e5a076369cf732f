package import Foundation

/// A reader of a table of comma-separated values, one row at a time.
///
///     var reader = try CSVReader(contentsOf: folder.appending(path: "airlines.csv"))
///     let name = try reader.column("name")
///     while try reader.next() { print(reader.text(name)) }
///
/// It splits bytes, and creates strings only for requested fields. So a year of flights, 31 MB,
/// takes a fraction of a second. Lines end in LF or CRLF. A field in double quotes may contain
/// commas, line ends and doubled quotes. Empty lines are skipped.
package struct CSVReader {
  /// The file's name in messages.
  package let file: String
  /// The columns by name, from the first line.
  package private(set) var header: [String: Int] = [:]
  /// The fields of the row that ``next()`` read last.
  package private(set) var fields: [Field] = []

  package let bytes: [UInt8]
  private var position = 0

  /// The position of a field in the file, without its quotes.
  package struct Field {
    package var bytes: Range<Int>
    package var isQuoted = false
  }

  package init(contentsOf url: URL) throws(InputError) {
    let data: Data
    do {
      data = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw InputError.unreadable(url.path)
    }
    try self.init(bytes: [UInt8](data), file: url.path)
  }

  package init(bytes: [UInt8], file: String) throws(InputError) {
    self.bytes = bytes
    self.file = file
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    guard try next() else {
      throw InputError("the file is empty; its first line should name the columns", file: file)
    }
    for (column, field) in fields.enumerated() {
      guard header.updateValue(column, forKey: text(column)) == nil else {
        throw error("the column \"\(text(column))\" is named twice", at: field.bytes.lowerBound)
      }
    }
  }
}

extension CSVReader {
  /// Returns the column with that name.
  package func column(_ name: String) throws(InputError) -> Int {
    guard let column = header[name] else {
      throw InputError("there is no column \"\(name)\"", file: file, line: 1, column: 1)
    }
    return column
  }

  /// Reads the next row into ``fields``.
  ///
  /// It returns false at the end of the file.
  package mutating func next() throws(InputError) -> Bool {
    while position < bytes.count, isLineEnd(at: position) { position += 1 }
    guard position < bytes.count else { return false }

    fields.removeAll(keepingCapacity: true)
    let start = position
    repeat { try readField() } while separatorFollows()

    if !header.isEmpty, fields.count != header.count {
      let end = fields.last?.bytes.upperBound ?? start
      let kind = fields.count < header.count ? "few" : "many"
      throw error(
        "too \(kind) fields: \(fields.count), where the first line names \(header.count) columns",
        at: fields.count < header.count ? end : fields[header.count].bytes.lowerBound)
    }
    return true
  }

  private mutating func readField() throws(InputError) {
    if position < bytes.count, bytes[position] == .quote {
      try readQuotedField()
    } else {
      let start = position
      var end = start
      // A local copy of the array keeps the loop free of exclusivity checks.
      let bytes = bytes
      while end < bytes.count {
        let byte = bytes[end]
        if byte == .comma || byte == .lineFeed { break }
        end += 1
      }
      position = end
      let isCRLF = end > start && end < bytes.count && bytes[end] == .lineFeed
      if (isCRLF || end == bytes.count), end > start, bytes[end - 1] == .carriageReturn { end -= 1 }
      fields.append(Field(bytes: start..<end))
    }
  }

  private mutating func readQuotedField() throws(InputError) {
    let start = position + 1
    var end = start
    while true {
      guard end < bytes.count else { throw error("a quote is never closed", at: position) }
      if bytes[end] == .quote {
        guard end + 1 < bytes.count, bytes[end + 1] == .quote else { break }
        end += 1
      }
      end += 1
    }
    position = end + 1
    guard position == bytes.count || bytes[position] == .comma || isLineEnd(at: position) else {
      throw error("text follows a closing quote", at: position)
    }
    fields.append(Field(bytes: start..<end, isQuoted: true))
  }

  private mutating func separatorFollows() -> Bool {
    guard position < bytes.count, bytes[position] == .comma else { return false }
    position += 1
    return true
  }

  private func isLineEnd(at position: Int) -> Bool {
    bytes[position] == .lineFeed || bytes[position] == .carriageReturn
  }
}

extension UInt8 {
  package static let comma = UInt8(ascii: ",")
  package static let quote = UInt8(ascii: "\"")
  package static let lineFeed = UInt8(ascii: "\n")
  package static let carriageReturn = UInt8(ascii: "\r")
}
