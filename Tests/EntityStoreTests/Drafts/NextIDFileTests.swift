import EntityStore
import Fixtures
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `The next id is stored in the file` {
  private func open(_ path: String) throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: [Owner.self, Pet.self])
  }

  private func take(_ store: Store) throws -> Int {
    try store.commit { try $0.nextID(Owner.self) }
  }

  @Test func `P5: two stores on one file never get the same id`() throws {
    let path = temporaryPath("ids")
    let (one, other) = (try open(path), try open(path))
    #expect(try take(one) == 1)
    #expect(try take(other) == 2)
    try one.commit { try $0.insert(Owner(id: try $0.nextID(Owner.self))) }
    try other.commit { try $0.delete(Owner.self, 3) }
    #expect(try take(one) == 4)
    #expect(try take(other) == 5)
    try other.commit { try $0.insert(Owner(id: 9)) }
    try one.commit { try $0.delete(Owner.self, 9) }
    #expect(try take(other) == 10)
  }

  @Test func `P5: a commit that only takes an id is no news to the other store`() throws {
    let path = temporaryPath("ids")
    let (one, other) = (try open(path), try open(path))
    let commits = Recorder(other.commits)
    _ = try take(one)
    try other.refresh()
    #expect(commits.values.isEmpty)
    try one.commit { try $0.insert(Owner(id: 1)) }
    try other.refresh()
    #expect(commits.values.map(\.isComplete) == [true])
    #expect(commits.values.first?.changes(of: Owner.self).inserted.map(\.id) == [1])
  }

  @Test func `S4: ids continue after the file is opened again, and in its copies`() throws {
    let path = temporaryPath("ids")
    var store: Store? = try open(path)
    for _ in 1...3 { _ = try take(#require(store)) }
    store = nil
    store = try open(path)
    try store?.commit { try $0.insert(Owner(id: 8)) }
    try store?.commit { try $0.delete(Owner.self, 8) }
    store = nil
    let again = try open(path)
    #expect(try take(again) == 9)
    let copy = temporaryPath("copy")
    try again.backUp(to: copy)
    #expect(try take(open(copy)) == 10)

    let memory = try Store(.inMemory, entities: [Owner.self, Pet.self])
    _ = try take(memory)
    try memory.commit { try $0.insert(Pet(id: 4)) }
    try memory.commit { try $0.delete(Pet.self, 4) }
    let fromMemory = temporaryPath("copy")
    try memory.backUp(to: fromMemory)
    let opened = try open(fromMemory)
    #expect(try take(opened) == 2)
    #expect(try opened.commit { try $0.nextID(Pet.self) } == 5)
  }

  private struct Holder: Entity {
    let id: Int
    var name = ""
    static let attributes = Attributes(.id(\Holder.id), .attribute("name", \.name))
    static let schema = Schema(attributes, Holder.init, rules: [.renamedFrom("Owner")])
  }

  @Test func `P4: an entity's ids continue under another name`() throws {
    let path = temporaryPath("ids")
    var store: Store? = try Store(.sqlite(path: path), entities: [Owner.self])
    for _ in 1...3 { _ = try take(#require(store)) }
    store = nil
    let renamed = try Store(.sqlite(path: path), entities: [Holder.self])
    #expect(try renamed.commit { try $0.nextID(Holder.self) } == 4)
    #expect(try renamed.commit { try $0.nextID(Holder.self) } == 5)
  }
}
