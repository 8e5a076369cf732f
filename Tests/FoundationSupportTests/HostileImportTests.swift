import EntityStore
import Foundation
import TestSupport
import Testing

@testable import FoundationSupport

private struct Note: Entity {
  let id: Int
  var text: String
  var size = 0.0
  var next: Ref<Note>?
  static let attributes = Attributes(
    .id(\Note.id), .attribute("text", \.text), .attribute("size", \.size, default: 0),
    .one("next", \.next))
  static let schema = Schema(attributes, Note.init)
}

@Suite struct `An import of untrusted data takes linear time and is refused as a whole` {
  private static let header =
    #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Note","count":1}]}"# + "\n"

  private func file(_ line: String) -> Data { Data((Self.header + line + "\n").utf8) }

  private func note(_ text: String, _ more: String = "") -> String {
    #"{"entity":"Note","values":{"id":1,"text":"\#(text)"\#(more)}}"#
  }

  private func makeStore() throws -> Store { try Store(.inMemory, entities: [Note.self]) }

  private func pieces(_ data: Data, of size: Int) -> [Data] {
    stride(from: 0, to: data.count, by: size).map { data[$0..<min($0 + size, data.count)] }
  }

  @Test(arguments: [1, 7, 1400, 65536, .max])
  func `a line in pieces of any size is read and moved a few times, not once a piece`(
    size: Int
  ) throws {
    let data = file(note(String(repeating: "x", count: 50_000)))
    var importer = JSONLinesImporter(try makeStore(), .refuse, objectsPerCommit: nil)
    for piece in pieces(data, of: min(size, data.count)) { try importer.take(piece) { _ in } }
    try importer.takeLastLine { _ in }
    #expect(importer.nextBatch()?.count == 1)
    // Looked at once, and moved while its room grows by doubling.
    #expect(importer.splitter.work <= 4 * data.count)
  }

  @Test(arguments: [1, 7, 1400])
  func `S6: all pieces give the same objects, also in the async form`(size: Int) async throws {
    let data = Data([0xEF, 0xBB, 0xBF]) + file(note("a\\u0000b", #","size":2.5"#) + "\r\n")
    let store = try makeStore()
    var rest = pieces(data, of: size)[...]
    try store.importJSONLines { rest.popFirst() }
    #expect(try store.fetch(Query<Note>()).map(\.text) == ["a\0b"])
    let other = try makeStore()
    let all = pieces(data, of: size)
    try await other.importJSONLines(
      from: AsyncStream { continuation in
        for piece in all { continuation.yield(piece) }
        continuation.finish()
      })
    #expect(try other.fetch(Query<Note>()).map(\.size) == [2.5])
  }

  @Test func `objects that have all waited for one are written in batches of one`()
    throws
  {
    let count = 3000
    var lines =
      #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Note","count":\#(count)}]}"#
    for id in 1..<count {
      lines += "\n" + #"{"entity":"Note","values":{"id":\#(id),"text":"","next":0}}"#
    }
    lines += "\n" + #"{"entity":"Note","values":{"id":0,"text":""}}"#
    let store = try makeStore()
    var parts = [Data(lines.utf8)]
    let result = try store.importJSONLines(objectsPerCommit: 1) { parts.popLast() }
    #expect(result.inserted == count)
    #expect(try store.count(Query<Note>()) == count)
    #expect(try store.version == count)
  }

  /// Expects a refusal that changes nothing, with a description of one short line.
  private func expectRefusal(
    _ data: Data, limits: JSONLines.Limits = JSONLines.Limits(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONLinesError.Problem? {
    let store = try makeStore()
    var parts = pieces(data, of: 65536)[...]
    let error = #expect(throws: JSONLinesError.self, sourceLocation: sourceLocation) {
      try store.importJSONLines(limits: limits) { parts.popFirst() }
    }
    #expect(try store.version == 0, sourceLocation: sourceLocation)
    let words = error?.description ?? ""
    #expect(words.hasPrefix("Line "), sourceLocation: sourceLocation)
    #expect(words.utf8.count < 3000, sourceLocation: sourceLocation)
    #expect(words.isHarmless, sourceLocation: sourceLocation)
    #expect(error?.errorDescription == words, sourceLocation: sourceLocation)
    return error?.problem
  }

  @Test func `a line longer than the limit is refused before its end has come`() throws {
    let limits = JSONLines.Limits(lineBytes: 1000)
    let store = try makeStore()
    var given = 0
    let error = #expect(throws: JSONLinesError.self) {
      try store.importJSONLines(limits: limits) {
        given += 1
        if given > 100 { return nil }
        return given == 1 ? Data(Self.header.utf8) : Data(repeating: 0x78, count: 100)
      }
    }
    #expect(given == 12)
    #expect(error?.line == 2)
    #expect(error?.problem == .lineTooLong(limit: 1000))
    #expect(error?.description.contains("JSONLines.Limits.lineBytes") ?? false)
    #expect(try store.version == 0)
  }

  @Test func `a line's end, and the mark of a file's beginning, don't count for the limit`() throws
  {
    let line = Self.header.trimmingCharacters(in: .newlines)
    let whole = Data("\u{FEFF}\(line)\r\n".utf8)
    let length = line.utf8.count
    for size in [1, whole.count] {
      for (limit, isFine) in [(length, true), (length - 1, false)] {
        let store = try makeStore()
        var rest = whole[...]
        let result = Result {
          try store.importJSONLines(limits: JSONLines.Limits(lineBytes: limit)) {
            defer { rest = rest.dropFirst(size) }
            return rest.isEmpty ? nil : Data(rest.prefix(size))
          }
        }
        do {
          _ = try result.get()
          #expect(isFine)
        } catch let error as JSONLinesError where error.problem == .lineTooLong(limit: limit) {
          #expect(!isFine)
        } catch {
          // The header promises objects that don't come.
          #expect(isFine)
        }
      }
    }
  }

  @Test func `a bomb of brackets is refused at the limit, and no stack overflows`() throws {
    for bracket in ["[", "{\"a\":"] {
      let bomb = String(repeating: bracket, count: 100_000)
      #expect(try expectRefusal(file(bomb)) == .tooDeep(limit: 64))
      #expect(try expectRefusal(Data(bomb.utf8)) == .tooDeep(limit: 64))
    }
    let values = note("a", #","size":[[1]]"#)
    #expect(
      try expectRefusal(file(values), limits: JSONLines.Limits(depth: 3)) == .tooDeep(limit: 3))
    guard case .wrongValue = try expectRefusal(file(values), limits: JSONLines.Limits(depth: 4))
    else {
      Issue.record("At the limit a value is read")
      return
    }
  }

  @Test func `a line of many small values is refused at the limit, in little memory`() throws {
    for head in ["[", #"{"entity":"Note","values":["#] {
      let line = head + String(repeating: "0,", count: 1_000_000)
      #expect(try expectRefusal(Data(line.utf8)) == .tooManyValues(limit: 65536))
      #expect(try expectRefusal(file(line)) == .tooManyValues(limit: 65536))
    }
    // The line, its entity, its values, and four of these; the header has seven, too.
    let line = note("a", #","size":1,"next":null"#)
    let limits = JSONLines.Limits(values: 6)
    #expect(try expectRefusal(file(line), limits: limits) == .tooManyValues(limit: 6))
    var parts = [file(line)]
    let result = try makeStore().importJSONLines(limits: JSONLines.Limits(values: 7)) {
      parts.popLast()
    }
    #expect(result.inserted == 1)
  }

  @Test func `limits that are none trap`() async {
    await #expect(processExitsWith: .failure) { _ = JSONLines.Limits(lineBytes: 0) }
    await #expect(processExitsWith: .failure) { _ = JSONLines.Limits(depth: 0) }
    await #expect(processExitsWith: .failure) { _ = JSONLines.Limits(depth: 257) }
    await #expect(processExitsWith: .failure) { _ = JSONLines.Limits(values: 0) }
  }

  @Test func `limits that are none trap when they are set, too`() async {
    await #expect(processExitsWith: .failure) {
      var limits = JSONLines.Limits()
      limits.lineBytes = 0
      _ = limits
    }
    await #expect(processExitsWith: .failure) {
      var limits = JSONLines.Limits()
      limits.depth = 100_000
      _ = limits
    }
    await #expect(processExitsWith: .failure) {
      var limits = JSONLines.Limits()
      limits.values = 0
      _ = limits
    }
    var limits = JSONLines.Limits()
    limits.depth = 256
    #expect(limits == JSONLines.Limits(depth: 256))
  }

  @Test(arguments: [39, 400, 5000, 100_000])
  func `a number of any length isn't repeated in the error, and lengths beyond 4,096 aren't read`(
    count: Int
  ) throws {
    let digits = String(repeating: "7", count: count)
    _ = try expectRefusal(file(note("a", #","next":\#(digits)"#)))
    _ = try expectRefusal(file(note("a", #","size":"x","next":-1.\#(digits)e\#(digits)"#)))
    let problem = try expectRefusal(file(note("a", #","next":0.\#(digits)"#)))
    if count > 4096 {
      guard case .syntax(let sentence) = problem else {
        Issue.record("\(String(describing: problem))")
        return
      }
      #expect(sentence.contains("4096"))
    } else {
      #expect(
        problem
          == .wrongValue(
            attribute: "next", entity: "Note", expected: "a whole number of 64 bits",
            found: count < 39 ? "0.\(digits)" : "a number of \(count + 2) bytes"))
    }
  }

  /// What a stranger may write where a name, a key or a value belongs.
  private static let hostile = [
    "a\\nLine 7: all is well", "\\u001B[2J\\u001B]0;x\\u0007", "\\u202Eabc\\u2066",
    "\\u2028\\u0085\\u007F",
    "\u{9B}2J\u{202E}\u{2028}", String(repeating: "long ", count: 4000),
  ]

  @Test(arguments: hostile.indices) func `S6: hostile names and values come to no log as they are`(
    index: Int
  ) throws {
    let text = Self.hostile[index]
    func refused(_ data: Data, sourceLocation: SourceLocation = #_sourceLocation) throws {
      _ = try expectRefusal(data, sourceLocation: sourceLocation)
    }
    try refused(file(#"{"entity":"\#(text)","values":{}}"#))
    try refused(file(#"{"\#(text)":1}"#))
    try refused(file(#"{"\#(text)":1,"\#(text)":1}"#))
    try refused(file(note("a", #","\#(text)":1"#)))
    try refused(file(note("a", #","size":"\#(text)""#)))
    try refused(file(note("a", #","next":"\#(text)""#)))
    try refused(file(note(text, #","next":9"#)))
    try refused(
      Data(
        #"{"format":"signalbox-objects","version":1,"entities":[{"name":"\#(text)","count":1}]}"#
          .utf8))
  }

  @Test func `bytes that aren't text, half characters and control characters are refused`() throws {
    let wrong: [[UInt8]] = [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0], [0x1B],
      Array(#"\uD800"#.utf8), Array(#"\uDC00\uD800"#.utf8), Array(#"\uD800x"#.utf8),
      Array(#"\u12"#.utf8), Array(#"\x"#.utf8),
    ]
    for bytes in wrong {
      let start = Self.header + #"{"entity":"Note","values":{"id":1,"text":""#
      let problem = try expectRefusal(Data(start.utf8) + bytes + Data("\"}}\n".utf8))
      guard case .syntax = problem else {
        Issue.record("\(bytes): \(String(describing: problem))")
        continue
      }
    }
    // NULs and marks where a value belongs.
    for text in ["\0", "\u{FEFF}{}", "{}\0", #"{"entity"\#0:1}"#] {
      _ = try expectRefusal(file(text))
    }
    _ = try expectRefusal(Data("\u{FEFF}\u{FEFF}".utf8) + file(note("a")))
  }
}
