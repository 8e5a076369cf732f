import Foundation

/// A table of comma-separated values.
///
/// Each row has the number of its first line.
///
/// Lines end in LF or CRLF. A field in double quotes may hold commas, line ends and doubled quotes.
/// Empty lines are skipped.
struct CSVTable {
  struct Row {
    var line: Int
    var fields: [String]
  }

  /// The names of the columns, and the rows after them.
  private(set) var header: [String] = []
  private(set) var rows: [Row] = []
  let file: String

  init(contentsOf url: URL) throws(InputError) {
    guard let data = try? Data(contentsOf: url) else {
      throw InputError("the file can't be read", file: url.path)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw InputError("the file isn't text in UTF-8", file: url.path)
    }
    try self.init(text, file: url.path)
  }

  init(_ text: String, file: String) throws(InputError) {
    self.file = file
    var bytes = Array(text.utf8)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    var line = 1
    while !bytes.isEmpty {
      let start = line
      let fields = try Self.row(&bytes, &line, file)
      if fields == [""] { continue }
      if header.isEmpty {
        header = fields
      } else {
        guard fields.count == header.count else {
          throw InputError(
            "\(fields.count) fields, where the first line names \(header.count) columns",
            file: file, line: start)
        }
        rows.append(Row(line: start, fields: fields))
      }
    }
    if header.isEmpty { throw InputError("the file is empty", file: file) }
  }

  /// Returns the position of a column.
  func column(_ name: String) throws(InputError) -> Int {
    guard let column = header.firstIndex(of: name) else {
      throw InputError("there is no column \"\(name)\"", file: file, line: 1)
    }
    return column
  }

  /// Reads the fields of a row, and its line end.
  private static func row(
    _ bytes: inout ArraySlice<UInt8>, _ line: inout Int, _ file: String
  ) throws(InputError) -> [String] {
    var fields: [String] = []
    while true {
      fields.append(
        bytes.first == quote ? try quoted(&bytes, &line, file) : plain(&bytes))
      switch bytes.popFirst() {
      case comma: continue
      case carriageReturn where bytes.first == lineFeed: bytes.removeFirst()
      case lineFeed, nil: break
      default: throw InputError("text follows a closing quote", file: file, line: line)
      }
      line += 1
      return fields
    }
  }

  private static func plain(_ bytes: inout ArraySlice<UInt8>) -> String {
    let field = bytes.prefix { $0 != comma && $0 != lineFeed }
    bytes = bytes.dropFirst(field.count)
    let isEnd = bytes.first != comma && field.last == carriageReturn
    return String(decoding: isEnd ? field.dropLast() : field, as: UTF8.self)
  }

  private static func quoted(
    _ bytes: inout ArraySlice<UInt8>, _ line: inout Int, _ file: String
  ) throws(InputError) -> String {
    let start = line
    var field: [UInt8] = []
    bytes.removeFirst()
    while let byte = bytes.popFirst() {
      if byte == lineFeed { line += 1 }
      if byte != quote {
        field.append(byte)
      } else if bytes.first == quote {
        field.append(quote)
        bytes.removeFirst()
      } else {
        return String(decoding: field, as: UTF8.self)
      }
    }
    throw InputError("a quote is never closed", file: file, line: start)
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
