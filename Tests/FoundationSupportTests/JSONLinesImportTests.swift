import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import Relays
import TestSupport
import Testing

/// An entity with a default, a rule and a reference to itself.
private struct Buoy: Entity {
  let id: Int
  var name: String
  var size: Int?
  var height: Double = 2.5
  var next: Ref<Buoy>?
  static let attributes = Attributes(
    .id(\Buoy.id), .attribute("name", \.name), .attribute("size", \.size),
    .attribute("height", \.height, default: 2.5), .one("next", \.next))
  static let schema = Schema(
    attributes, Buoy.init,
    rules: [.unique(\.name), .check("its size is positive") { ($0.size ?? 1) > 0 }])
}

@Suite struct `An import error names the line, the entity and the attribute` {
  private func header(_ count: Int) -> String {
    #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Buoy","count":\#(count)}]}"#
  }

  private func buoy(_ values: String) -> String { #"{"entity":"Buoy","values":{\#(values)}}"# }

  private func text(_ lines: [String]) -> Data {
    Data((header(lines.count) + "\n" + lines.map { $0 + "\n" }.joined()).utf8)
  }

  private func makeStore(_ storage: TestStorage = .memory) throws -> Store {
    try storage.makeStore(Buoy.self)
  }

  /// Expects that an import fails, and changes nothing.
  private func expectProblem(
    _ problem: JSONLinesError.Problem, line: Int, of data: Data, in storage: TestStorage = .memory,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try makeStore(storage)
    for size in [Int?.none, 1000] {
      let error = #expect(throws: JSONLinesError.self, sourceLocation: sourceLocation) {
        try store.importing(data, objectsPerCommit: size)
      }
      #expect(error?.line == line, sourceLocation: sourceLocation)
      #expect(error?.problem == problem, sourceLocation: sourceLocation)
      #expect(
        error?.description.hasPrefix("Line \(line): ") ?? false, sourceLocation: sourceLocation)
      #expect(try store.version == 0, sourceLocation: sourceLocation)
    }
  }

  @Test func `a default stands in for what is missing, and nothing for what has none`() throws {
    let store = try makeStore()
    try store.importing(
      text([
        buoy(#""id":1,"name":"a""#), buoy(#" "height" : 1e2, "name":"b" ,"id":2,"size":null"#),
        buoy(#""id":3,"name":"c","size":true,"height":"Infinity","next":1"#),
      ]))
    #expect(try store.find(Buoy.self, 1)?.height == 2.5)
    #expect(try store.find(Buoy.self, 1)?.size == nil)
    #expect(try store.find(Buoy.self, 2)?.height == 100)
    #expect(try store.find(Buoy.self, 3)?.size == 1)
    #expect(try store.find(Buoy.self, 3)?.next == Ref(1))
    try expectProblem(
      .missingAttribute("name", entity: "Buoy"), line: 2, of: text([buoy(#""id":1"#)]))
    try expectProblem(
      .missingAttribute("id", entity: "Buoy"), line: 3,
      of: text([buoy(#""id":1,"name":"a""#), buoy(#""name":"b""#)]))
  }

  @Test func `a value of another type is named`() throws {
    func expect(
      _ attribute: String, _ value: String, _ expected: String, _ found: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let others = ["id": "1", "name": #""a""#].filter { $0.key != attribute }
      let values = (others.map { "\"\($0.key)\":\($0.value)" } + ["\"\(attribute)\":\(value)"])
        .joined(separator: ",")
      try expectProblem(
        .wrongValue(attribute: attribute, entity: "Buoy", expected: expected, found: found),
        line: 2,
        of: text([buoy(values)]), sourceLocation: sourceLocation)
    }
    let whole = "a whole number of 64 bits"
    try expect("id", "1.0", whole, "1.0")
    try expect("id", "9223372036854775808", whole, "9223372036854775808")
    try expect("id", "1e3", whole, "1e3")
    try expect("id", "null", whole, "null")
    try expect("size", #""7""#, whole, #"the text "7""#)
    try expect("name", "7", "text", "7")
    try expect("name", "null", "text", "null")
    try expect("name", "[]", "text", "a list")
    let real = "a number, \"Infinity\" or \"-Infinity\""
    try expect("height", #""NaN""#, real, #"the text "NaN""#)
    try expect("height", "1e400", real, "1e400")
    try expect("height", "{}", real, "an object")
    try expect("next", #"{"id":1}"#, whole, "an object")
  }

  @Test func `composite ids and bytes that aren't are named`() throws {
    let store = try Store(.inMemory, entities: Harbour.entities)
    let start =
      #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Zookeeper","count":1}]}"#
      + "\n"
    func expect(
      _ line: String, _ attribute: String, _ expected: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let error = #expect(throws: JSONLinesError.self, sourceLocation: sourceLocation) {
        try store.importing(Data((start + line).utf8))
      }
      guard case .wrongValue(attribute, _, expected, _) = error?.problem else {
        Issue.record("\(error as Any)", sourceLocation: sourceLocation)
        return
      }
    }
    expect(#"{"entity":"Zookeeper","values":{"id":"A"}}"#, "id", "bytes in base64")
    let berth = #"A \"berth\"\n\\🚤"#
    let parts = #"an object of "pi"er", "number""#
    expect(#"{"entity":"\#(berth)","values":{"id":7}}"#, "id", parts)
    expect(#"{"entity":"\#(berth)","values":{"id":{"number":1}}}"#, "id", parts)
    expect(#"{"entity":"\#(berth)","values":{"id":{"number":1,"x":""}}}"#, "id", parts)
    expect(
      #"{"entity":"\#(berth)","values":{"id":{"number":"1","pi\"er":""}}}"#, "id.number",
      "a whole number of 64 bits")
    // Sixteen bytes are an id; three are base64 and none.
    let error = #expect(throws: JSONLinesError.self) {
      try store.importing(
        Data((start + #"{"entity":"Zookeeper","values":{"id":"AAAA","name":""}}"#).utf8))
    }
    guard case .refused(.unreadable(_, "id", _)) = error?.problem else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test func `unknown entities and attributes are named`() throws {
    try expectProblem(
      .unknownEntity("Boat"), line: 2, of: text([#"{"entity":"Boat","values":{}}"#]))
    try expectProblem(
      .unknownAttribute("nam", entity: "Buoy"), line: 2, of: text([buoy(#""id":1,"nam":"a""#)]))
    try expectProblem(
      .unknownEntity("Boat"), line: 1,
      of: Data(
        #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Boat","count":1}]}"#.utf8))
  }

  @Test func `a first line that is no header is named`() throws {
    for line in [
      buoy(#""id":1,"name":"a""#), "[]", "7", "{}",
      #"{"format":"other","version":1,"entities":[]}"#,
      #"{"format":"signalbox-objects","version":"1","entities":[]}"#,
      #"{"format":"signalbox-objects","version":1}"#,
      #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Buoy"}]}"#,
      #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Buoy","count":-1}]}"#,
    ] {
      try expectProblem(.noHeader, line: 1, of: Data(line.utf8))
    }
    try expectProblem(.noHeader, line: 1, of: Data())
    try expectProblem(
      .newerFormat(2), line: 1,
      of: Data(#"{"format":"signalbox-objects","version":2,"entities":7}"#.utf8))
  }

  @Test func `a file that isn't whole is named`() throws {
    let whole = text([buoy(#""id":1,"name":"a""#), buoy(#""id":2,"name":"b""#)])
    let lines = String(decoding: whole, as: UTF8.self).split(separator: "\n")
    try expectProblem(
      .wrongCount(entity: "Buoy", expected: 2, found: 1), line: 2,
      of: Data((lines[0] + "\n" + lines[1]).utf8))
    try expectProblem(
      .wrongCount(entity: "Buoy", expected: 1, found: 2), line: 3,
      of: Data(([Substring(header(1))] + lines[1...]).joined(separator: "\n").utf8))
    // Cut anywhere, nothing is imported; without its last line's end it is whole.
    for count in 0..<whole.count - 1 {
      let store = try makeStore()
      #expect(throws: JSONLinesError.self) { try store.importing(whole.prefix(count)) }
      #expect(try store.version == 0)
    }
    try makeStore().importing(whole.dropLast())
  }

  @Test func `what is no JSON is named with its place`() throws {
    let valid = #"{"entity":"Buoy","values":{"id":1,"name":"a"}}"#
    func expect(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let store = try makeStore()
      let error = #expect(throws: JSONLinesError.self, sourceLocation: sourceLocation) {
        try store.importing(text([valid, line]))
      }
      guard case .syntax(let sentence) = error?.problem, error?.line == 3,
        sentence.contains("at byte")
      else {
        Issue.record("\(error as Any) of \(line)", sourceLocation: sourceLocation)
        return
      }
    }
    for line in [
      "{", "}", "nul", "{\"a\"}", "{\"a\":1,}", "[1,]", "[1 2]", "{a:1}", "\"", "\"\\", "\"\\x\"",
      "\"\\u12\"", "\"\\uD800\"", "\"\\uDC00\"", "\"\\uD800\\u0041\"", "01", "-", "1.", ".5", "1e",
      "+1",
      "NaN", "Infinity", "{} {}", "\"\t\"", "{\"a\":1,\"a\":2}", "\u{FEFF}{}", "'a'", "\"\\u00g0\"",
    ] {
      try expect(line)
    }
    for line in ["[]", "7", "null", "{}", #"{"entity":"Buoy"}"#, #"{"entity":7,"values":{}}"#] {
      let store = try makeStore()
      let error = #expect(throws: JSONLinesError.self) { try store.importing(text([line])) }
      guard case .malformed = error?.problem else {
        Issue.record("\(error as Any) of \(line)")
        continue
      }
    }
    // Bytes that aren't UTF-8 would come back as other text.
    var bytes = text([valid, #"{"entity":"Buoy","values":{"id":2,"name":"?"}}"#])
    let place = try #require(bytes.lastIndex(of: UInt8(ascii: "?")))
    bytes[place] = 0xFF
    let error = #expect(throws: JSONLinesError.self) { try makeStore().importing(bytes) }
    #expect(error?.line == 3)
  }

  @Test func `escapes, spaces and empty lines are what JSON says they are`() throws {
    let store = try makeStore()
    let lines = [
      header(1), "", "\r",
      " { \"values\" : { \"name\" : \"\\u0041\\ud83D\\uDE00\\/\\b\\f\\n\\r\\t\\\\\\\"\" , \"id\" : -0 } , \"entity\":\"Buoy\"}\t\r",
    ]
    try store.importing(Data(lines.joined(separator: "\n").utf8))
    #expect(try store.find(Buoy.self, 0)?.name == "A\u{1F600}/\u{8}\u{C}\n\r\t\\\"")
  }

  @Test(arguments: TestStorage.allCases)
  func `S4: rules are judged as ever, and the line of a broken one is named`(_ storage: TestStorage)
    throws
  {
    func expect(
      _ lines: [String], line: Int, _ isIt: (StoreError) -> Bool,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for size in [nil, 1, 1000] {
        let store = try makeStore(storage)
        let error = #expect(throws: JSONLinesError.self, sourceLocation: sourceLocation) {
          try store.importing(text(lines), objectsPerCommit: size)
        }
        guard case .refused(let refusal) = error?.problem, isIt(refusal), error?.line == line else {
          Issue.record("\(error as Any)", sourceLocation: sourceLocation)
          return
        }
      }
    }
    try expect([buoy(#""id":1,"name":"a""#), buoy(#""id":2,"name":"a""#)], line: 3) {
      if case .notUnique = $0 { true } else { false }
    }
    try expect([buoy(#""id":1,"name":"a""#), buoy(#""id":2,"name":"b","size":-1"#)], line: 3) {
      if case .checkFailed = $0 { true } else { false }
    }
    try expect([buoy(#""id":1,"name":"a","next":7"#), buoy(#""id":2,"name":"b""#)], line: 2) {
      if case .missingReference = $0 { true } else { false }
    }
    try expect([buoy(#""id":1,"name":"a""#), buoy(#""id":1,"name":"b""#)], line: 3) {
      if case .alreadyExists = $0 { true } else { false }
    }
  }

  @Test(arguments: TestStorage.allCases, [nil, 1, 2])
  func `an object that is there is refused, replaced or left as it is`(
    _ storage: TestStorage, _ size: Int?
  ) throws {
    let data = text([
      buoy(#""id":1,"name":"new 1""#), buoy(#""id":2,"name":"new 2","next":3"#),
      buoy(#""id":3,"name":"new 3""#),
    ])
    for existing in JSONLines.ExistingObjects.allCases {
      let store = try makeStore(storage)
      try store.commit {
        try $0.insert(Buoy(id: 2, name: "old 2"))
        try $0.insert(Buoy(id: 9, name: "old 9"))
      }
      func names() throws -> [String] { try store.fetch(Query<Buoy>()).map(\.name) }
      switch existing {
      case .refuse:
        let error = #expect(throws: JSONLinesError.self) {
          try store.importing(data, existing: existing, objectsPerCommit: size)
        }
        #expect(error == nil || error?.line == 3)
        #expect(error?.problem == .refused(.alreadyExists(ObjectID(Buoy.self, 2))))
        if size == nil { #expect(try names() == ["old 2", "old 9"]) }
      case .replace:
        let result = try store.importing(data, existing: existing, objectsPerCommit: size)
        #expect(try names() == ["new 1", "new 2", "new 3", "old 9"])
        #expect(result.inserted == 2 && result.replaced == 1 && result.skipped == 0)
      case .skip:
        let result = try store.importing(data, existing: existing, objectsPerCommit: size)
        #expect(try names() == ["new 1", "old 2", "new 3", "old 9"])
        #expect(result.inserted == 2 && result.replaced == 0 && result.skipped == 1)
        // Done again it does nothing.
        let version = try store.version
        #expect(
          try store.importing(data, existing: .skip, objectsPerCommit: size).skipped == 3)
        #expect(try store.version == version)
      }
    }
  }

  @Test(arguments: [1, 2])
  func `objects that refer to each other in a circle are written together`(_ size: Int) throws {
    let store = try makeStore()
    let commits = Recorder(store.commits)
    try store.importing(
      text([
        buoy(#""id":1,"name":"1","next":2"#), buoy(#""id":2,"name":"2","next":3"#),
        buoy(#""id":3,"name":"3","next":1"#), buoy(#""id":4,"name":"4","next":4"#),
        buoy(#""id":5,"name":"5","next":6"#), buoy(#""id":6,"name":"6""#),
      ]), objectsPerCommit: size)
    #expect(commits.values.count == (size == 1 ? 4 : 2))
    let next: [Int?] = try store.fetch(Query<Buoy>()).map { $0.next?.id }
    #expect(next == [2, 3, 1, 4, 6, nil])
  }

  /// Pieces that end without an error when the task is cancelled, as those of an `AsyncStream` do.
  private struct CancelledPieces: AsyncSequence, Sendable {
    let pieces: [Data]
    struct Iterator: AsyncIteratorProtocol {
      var pieces: ArraySlice<Data>
      mutating func next() async -> Data? {
        if let piece = pieces.popFirst() { return piece }
        withUnsafeCurrentTask { $0?.cancel() }
        return nil
      }
    }
    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces[...]) }
  }

  @Test func `A cancelled import reports no damaged file`() async throws {
    for text in [header(1) + "\n", header(1) + "\n{\"ent"] {
      let store = try makeStore()
      let pieces = CancelledPieces(pieces: [Data(text.utf8)])
      let task = Task { try await store.importJSONLines(from: pieces) }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `An import that is cancelled after its last commit has succeeded`() async throws {
    let store = try makeStore()
    let token = store.commits.subscribe { _ in withUnsafeCurrentTask { $0?.cancel() } }
    for (id, size) in [(1, Int?.none), (2, 1)] {
      let data = text([buoy(#""id":\#(id),"name":"\#(id)""#)])
      let task = Task { try store.importing(data, objectsPerCommit: size) }
      #expect(try await task.value.inserted == 1)
      let other = text([buoy(#""id":\#(id + 5),"name":"\#(id + 5)""#)])
      let pieces = CancelledPieces(pieces: [other])
      let last = Task { try await store.importJSONLines(from: pieces, objectsPerCommit: size) }
      if size == nil {
        await #expect(throws: CancellationError.self) { try await last.value }
      } else {
        #expect(try await last.value.inserted == 1)
      }
    }
    token.cancel()
  }

  @Test func `S6: an import of no objects a commit traps`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try Store(.inMemory, entities: [Owner.self]).importJSONLines(objectsPerCommit: 0) { nil }
    }
    trap.expectMessage("An import of 0 objects a commit", inRelease: true)
  }
}
