import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Hostile values` {
  private static let texts = [
    "'", "\"", "''; DROP TABLE Person; --", "\0", "a\0'b", "%", "_", "?1", ":a", "@a", "$a",
    "\u{1F600}", "\u{10FFFF}", "e\u{301}", "\u{E9}", "\u{FEFF}", "\u{FFFD}", "\r\n", "NULL", "1",
    "1.0",
    "x'00'", "\\", "/*", String(repeating: "\u{1F600}'", count: 200_000),
    String(repeating: "\0", count: 1_000_000),
  ]

  @Test(.oneThread)
  func `P6: text of any kind and a megabyte is stored, found and compared as it is`() throws {
    let path = temporaryPath()
    do {
      let store = try openGarage(path)
      try store.commit { draft in
        for (number, text) in Self.texts.enumerated() {
          try draft.insert(
            Person(id: text, name: text, height: Double(number), photo: Array(text.utf8)))
          try draft.insert(Car(id: number, model: text, owner: Ref(text)))
        }
      }
    }
    let store = try openGarage(path)
    for (number, text) in Self.texts.enumerated() {
      let person = try #require(try store.find(Person.self, text))
      #expect(Array(person.name.utf8) == Array(text.utf8))
      #expect(person.photo == Array(text.utf8))
      #expect(try store.find(Car.self, by: (\.model, text))?.id == number)
      let queries = [
        Query<Car>().filter { $0.model == text }, Query<Car>().filter { $0.owner.name == text },
        Query<Car>().filter { $0.model.in([text]) }, Query<Car>().filter { $0.owner == Ref(text) },
        Query<Car>().filter { $0.model >= text }.filter { $0.model <= text },
        Query<Car>().filter { $0.model.hasPrefix(text) }.filter { $0.model.hasSuffix(text) }
          .filter { $0.model == text },
      ]
      for query in queries { #expect(try store.fetch(query).map(\.id) == [number]) }
    }
    for (number, text) in Self.texts.enumerated() {
      try store.commit { draft in
        try draft.update(Car.self, number) { $0.model += text }
        try draft.delete(Person.self, text)
      }
    }
    #expect(try store.count(Query<Person>()) == 0)
    let models = try store.fetch(Query<Car>()).map { Array($0.model.utf8) }
    #expect(models == Self.texts.map { Array(($0 + $0).utf8) })
  }

  @Test func `P6: text that is no UTF-8, from another tool, is a typed error and stays as it is`()
    throws
  {
    let path = temporaryPath()
    let store = try openGarage(path)
    try store.fill()
    let file = try RawDatabase(path)
    // One byte, a cut character of as many bytes as U+FFFD has, a surrogate and a NUL beside.
    for bytes in ["FF", "F09F98", "EDA080", "6100FF"] {
      try file.rows("UPDATE Person SET name = CAST(x'\(bytes)' AS TEXT) WHERE id = 'ann'")
      let found = stride(from: 0, to: bytes.count, by: 2).map { place in
        let start = bytes.index(bytes.startIndex, offsetBy: place)
        return UInt8(bytes[start..<bytes.index(start, offsetBy: 2)], radix: 16) ?? 0
      }
      let unreadable = StoreError.unreadable(
        ObjectID(Person.self, "ann"), attribute: "name", found: .bytes(found))
      #expect(throws: unreadable) { try store.find(Person.self, "ann") }
      #expect(throws: unreadable) { try store.fetch(Query<Person>()) }
      #expect(throws: unreadable) {
        try store.commit { try $0.update(Person.self, "ann") { $0.height = 2 } }
      }
      // What doesn't read it works, and nothing writes another text in its place.
      #expect(try store.count(Query<Person>()) == 2)
      #expect(try store.fetch(Query<Person>().filter { $0.id != "ann" }).count == 1)
      #expect(try store.fetch(Query<Car>()).count == 2)
      #expect(try file.value("SELECT hex(name) FROM Person WHERE id = 'ann'") == bytes)
    }
    try file.rows("UPDATE Person SET name = 'Ann' WHERE id = 'ann'")
    #expect(try store.find(Person.self, "ann")?.name == "Ann")
    // U+FFFD itself is text like any other.
    try file.rows("UPDATE Person SET name = CAST(x'EFBFBD' AS TEXT) WHERE id = 'ann'")
    #expect(try store.find(Person.self, "ann")?.name == "\u{FFFD}")
  }

  @Test func `S8: what another tool writes as infinity, -0.0 and the ends of Int is read so`()
    throws
  {
    let path = temporaryPath()
    let store = try openGarage(path)
    try store.fill()
    let file = try RawDatabase(path)
    try file.rows("UPDATE Person SET height = 9e999")
    #expect(try store.fetch(Query<Person>().filter { $0.height == .infinity }).count == 2)
    try file.rows("UPDATE Person SET height = -9e999")
    #expect(try store.fetch(Query<Person>().filter { $0.height < -1e308 }).count == 2)
    try file.rows("UPDATE Person SET height = -0.0")
    #expect(try store.fetch(Query<Person>().filter { $0.height == 0 }).count == 2)
    // A whole number too large for a Double to hold is rounded by the column.
    try file.rows("UPDATE Person SET height = 9223372036854775807")
    #expect(try store.find(Person.self, "ann")?.height == 0x1p63)
    #expect(try store.fetch(Query<Car>().filter { $0.id == .min }).count == 1)
    #expect(try store.fetch(Query<Car>().filter { $0.id > .max - 1 }).map(\.id) == [.max])
  }
}
