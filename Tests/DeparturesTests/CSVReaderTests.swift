import Testing

@testable import Departures
@testable import DeparturesModel

struct CSVReaderTests {
  private func table(_ text: String) throws -> CSVReader {
    try CSVReader(bytes: Array(text.utf8), file: "t.csv")
  }

  private func rows(_ text: String) throws -> [[String]] {
    var reader = try table(text)
    var rows: [[String]] = []
    while try reader.next() { rows.append(reader.fields.indices.map(reader.text)) }
    return rows
  }

  private func error(_ text: String) -> InputError? {
    do {
      _ = try rows(text)
      return nil
    } catch {
      return error as? InputError
    }
  }

  @Test(arguments: [
    ("a,b\n1,2\n3,4\n", [["1", "2"], ["3", "4"]]),
    ("a,b\r\n1,2\r\n3,4", [["1", "2"], ["3", "4"]]),
    ("a,b\n1,\n,2\n", [["1", ""], ["", "2"]]),
    ("a,b\n\n1,2\n\n\n", [["1", "2"]]),
    ("a\n1\r\n2\r", [["1"], ["2"]]),
    ("\u{FEFF}a,b\n1,2", [["1", "2"]]),
    ("a,b\n\"x, y\",\"say \"\"hi\"\"\"\n", [["x, y", "say \"hi\""]]),
    ("a,b\n\"two\nlines\",2\r\n\"\",3\n", [["two\nlines", "2"], ["", "3"]]),
    ("a,b\n", []),
    ("a,b\nZürich,東京\n", [["Zürich", "東京"]]),
  ])
  func `Every way to write a table is read`(text: String, expected: [[String]]) throws {
    #expect(try rows(text) == expected)
  }

  @Test(arguments: [
    ("", nil, nil, "the file is empty; its first line should name the columns"),
    ("a,b\n1,2\n3\n", 3, 2, "too few fields: 1, where the first line names 2 columns"),
    ("a,b\n1,2,3\n", 2, 5, "too many fields: 3, where the first line names 2 columns"),
    ("a,b\n1,\"x\n", 2, 3, "a quote is never closed"),
    ("a,b\n\"x\"y,2\n", 2, 4, "text follows a closing quote"),
    ("a,a\n", 1, 3, "the column \"a\" is named twice"),
    (
      "a,b\n\"two\nlines\",2\n3\n", 4, 2, "too few fields: 1, where the first line names 2 columns"
    ),
    ("a,b\nü,\"x\n", 2, 3, "a quote is never closed"),
  ])
  func `A fault is reported with its line and character`(
    text: String, line: Int?, column: Int?, message: String
  ) {
    #expect(error(text) == InputError(message, file: "t.csv", line: line, column: column))
  }

  @Test func `A fault reads as one line`() {
    #expect(InputError("no", file: "f.csv", line: 3, column: 9).description == "f.csv:3:9: no")
    #expect(InputError("no", file: "f.csv").description == "f.csv: no")
    #expect(InputError("no").description == "no")
  }

  @Test func `A missing column is reported on the first line`() throws {
    let reader = try table("a,b\n1,2\n")
    #expect(throws: InputError("there is no column \"c\"", file: "t.csv", line: 1, column: 1)) {
      try reader.column("c")
    }
  }

  @Test(arguments: [
    ("0", 0), ("17", 17), ("-43", -43), ("007", 7), ("\"8\"", 8),
    ("999999999999999999", 999_999_999_999_999_999),
  ])
  func `A whole number is read`(text: String, number: Int) throws {
    var reader = try table("n\n\(text)\n")
    _ = try reader.next()
    #expect(try reader.integer(0) == number)
  }

  @Test(arguments: ["x", "1.5", "-", "1e3", "+1", " 1", "9999999999999999999", "NA", "１"])
  func `Anything else is not a whole number`(text: String) throws {
    var reader = try table("id,n\n1,\(text)\n")
    _ = try reader.next()
    let expected = InputError(
      "\"\(text)\" is not a whole number (n)", file: "t.csv", line: 2, column: 3)
    #expect(throws: expected) { try reader.integer(1) }
  }

  @Test func `NA and nothing are missing values`() throws {
    var reader = try table("a,b,c\nNA,,NAN\n")
    _ = try reader.next()
    #expect(reader.optionalText(0) == nil)
    #expect(reader.optionalText(1) == nil)
    #expect(reader.optionalText(2) == "NAN")
    #expect(try reader.optionalInteger(0, in: 0...1) == nil)
    let expected = InputError(
      "the field is empty, but b is needed", file: "t.csv", line: 2, column: 4)
    #expect(throws: expected) { try reader.requiredText(1) }
  }

  @Test func `A number out of bounds is reported`() throws {
    var reader = try table("minute\n75\n")
    _ = try reader.next()
    let expected = InputError(
      "75 is not between 0 and 59 (minute)", file: "t.csv", line: 2, column: 1)
    #expect(throws: expected) { try reader.integer(0, in: 0...59) }
  }
}
