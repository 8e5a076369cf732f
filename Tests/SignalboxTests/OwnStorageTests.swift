import Foundation
@_spi(Storage) import Signalbox
import TestSupport
import Testing

/// The worked example of `Documentation/OwnStorage.md`.
@Suite struct OwnStorageTests {
  struct Note: Entity {
    let id: Int
    var text: String
    var weight: Double
    var parent: Ref<Note>?
    static let attributes = Attributes(
      .id(\Note.id), .attribute("text", \.text), .attribute("weight", \.weight),
      .one("parent", \.parent, onDelete: .cascade))
    static let schema = Schema(attributes, Note.init, rules: [.unique(\.text)])
  }

  private let file = URL(filePath: temporaryPath("journal"))

  private func openStore() throws -> Store {
    try Store(.custom { [file] in JournalStorage(file) }, entities: [Note.self])
  }

  private func texts(_ store: Store) throws -> [String] {
    try store.fetch(Query<Note>().sorted { [$0.text.ascending] }).map(\.text)
  }

  @Test func `The guide shows the storage that is tested here`() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let guide = try String(
      contentsOf: root.appending(path: "Documentation/OwnStorage.md"), encoding: .utf8)
    let source = try String(
      contentsOf: root.appending(path: "Tests/SignalboxTests/JournalStorage.swift"),
      encoding: .utf8)
    #expect(guide.contains("```swift\n\(source)```\n"))
  }

  @Test func `A store with a custom storage opens again with what was committed`() throws {
    do {
      let store = try openStore()
      try store.commit { draft in
        try draft.insert(Note(id: 1, text: "é\n\u{0}", weight: 0.1))
        try draft.insert(Note(id: 2, text: "child", weight: -4, parent: Ref(1)))
        try draft.insert(Note(id: 3, text: "gone", weight: 0))
      }
      try store.commit { try $0.delete(Note.self, 3) }
      try store.commit { try $0.update(Note.self, 2) { $0.text = "grown" } }
    }
    let store = try openStore()
    #expect(try store.version == 3)
    #expect(try texts(store) == ["grown", "é\n\u{0}"])
    #expect(try store.find(Note.self, 1)?.weight == 0.1)
    #expect(try store.find(Note.self, 2)?.parent == Ref(1))
  }

  @Test func `S4: rules hold on it, also for what was read from the journal`() throws {
    do {
      let store = try openStore()
      try store.commit { try $0.insert(Note(id: 1, text: "one", weight: 1)) }
      try store.commit { try $0.insert(Note(id: 2, text: "two", weight: 1, parent: Ref(1))) }
    }
    let store = try openStore()
    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Note(id: 3, text: "one", weight: 1)) }
    }
    try store.commit { try $0.delete(Note.self, 1) }
    #expect(try texts(store) == [])
    #expect(try texts(try openStore()) == [])
  }

  @Test
  func `A line that a crash has cut off is left out, and the next one follows the last whole one`()
    throws
  {
    do {
      let store = try openStore()
      try store.commit { try $0.insert(Note(id: 1, text: "one", weight: 1)) }
      try store.commit { try $0.insert(Note(id: 2, text: "two", weight: 1)) }
    }
    try Data(contentsOf: file).dropLast(5).write(to: file)
    do {
      let store = try openStore()
      #expect(try texts(store) == ["one"])
      try store.commit { try $0.insert(Note(id: 3, text: "three", weight: 1)) }
    }
    #expect(try texts(try openStore()) == ["one", "three"])
  }

  @Test func `A commit whose line can't be written throws, and nothing has happened`() throws {
    let store = try openStore()
    try store.commit { try $0.insert(Note(id: 1, text: "one", weight: 1)) }
    let model = try FetchedObjectsModel(Query<Note>(), in: store)
    #expect(throws: StoreError.self) {  // JSON has no infinity
      try store.commit { try $0.insert(Note(id: 2, text: "two", weight: .infinity)) }
    }
    #expect(model.fetchedObjects.map(\.text) == ["one"])
    try store.commit { try $0.insert(Note(id: 3, text: "three", weight: 1)) }
    #expect(model.fetchedObjects.map(\.text) == ["one", "three"])
    #expect(try texts(try openStore()) == ["one", "three"])
  }
}
