@_spi(Storage) import EntityStore
import Fixtures
import Relays
import TestSupport
import Testing

@testable import FoundationSupport

/// Keeps actions as Foundation's `UndoManager` does: in groups, of which one is undone at a time.
@MainActor private final class UndoStacks: UndoActions {
  struct Action {
    let name: String
    let body: @MainActor () -> Void
  }

  private var undo: [[Action]] = []
  private var redo: [[Action]] = []
  private var isUndoing = false
  private var isRedoing = false
  /// The actions of the running event.
  private var group: [Action] = []

  var names: [[[String]]] { [undo, redo].map { $0.map { $0.map(\.name) } } }

  func register(_ name: String, _ action: @escaping @MainActor () -> Void) {
    group.append(Action(name: name, body: action))
  }

  func registerAlone(_ name: String, _ action: @escaping @MainActor () -> Void) {
    undo.append([Action(name: name, body: action)])
  }

  func removeAll() { (undo, redo, group) = ([], [], []) }

  /// Ends an event: its actions form one group.
  func endEvent() {
    if group.isEmpty { return }
    if isUndoing {
      redo.append(group)
    } else {
      if !isRedoing { redo = [] }
      undo.append(group)
    }
    group = []
  }

  func undoGroup() {
    isUndoing = true
    for action in (undo.popLast() ?? []).reversed() { action.body() }
    endEvent()
    isUndoing = false
  }

  func redoGroup() {
    isRedoing = true
    for action in (redo.popLast() ?? []).reversed() { action.body() }
    endEvent()
    isRedoing = false
  }
}

@MainActor @Suite struct `The bridge to an undo manager` {
  private let store: Store
  private let stacks = UndoStacks()

  init() throws {
    store = try Store(.inMemory, entities: [Note.self])
    store.historyLimit = 10
  }

  private func write(_ text: String, named name: String? = nil) throws {
    try store.commit(named: name) { try $0.upsert(Note(id: 1, text: text)) }
  }

  private func text() throws -> String? { try store.find(Note.self, 1)?.text }

  @Test func `S9: undoes and redoes each event of commits with names as one`() throws {
    let token = UndoBridge.begin(for: store, stacks) { Issue.record($0) }
    try write("a")
    stacks.endEvent()
    try write("b", named: "B")
    stacks.endEvent()
    try write("c", named: "C")
    try write("d", named: "D")
    stacks.endEvent()
    #expect(stacks.names == [[["B"], ["C", "D"]], []])
    for _ in 0..<2 {
      stacks.undoGroup()
      #expect(try text() == "b")
      #expect(stacks.names == [[["B"]], [["D", "C"]]])
      stacks.undoGroup()
      #expect(try text() == "a")
      stacks.redoGroup()
      stacks.redoGroup()
      #expect(try text() == "d")
      #expect(stacks.names == [[["B"], ["C", "D"]], []])
    }
    token.cancel()
    stacks.undoGroup()
    #expect(try text() == "d", "nothing after the end")
  }

  @Test func `S9: registers each commit that can be undone already, and no external one`() throws {
    try write("a", named: "A")
    try write("b", named: "B")
    let token = UndoBridge.begin(for: store, stacks) { Issue.record($0) }
    #expect(stacks.names == [[["A"], ["B"]], []])
    stacks.undoGroup()
    #expect(try text() == "a")
    store.historyLimit = 0
    try write("c", named: "C")
    stacks.endEvent()
    #expect(stacks.names == [[["A"]], [["B"]]], "what isn't kept can't be undone")
    stacks.undoGroup()
    #expect(try text() == "c")
    token.cancel()
  }

  @Test func `S9: registers a commit once that is delivered after the beginning`() throws {
    var tokens: [SubscriptionToken] = []
    let first = store.commits.subscribe(on: .mainActor) { commit in
      guard commit.name == "A" else { return }
      // This one is delivered after the running event.
      do { try self.write("c", named: "C") } catch { Issue.record(error) }
      UndoBridge.begin(for: self.store, self.stacks) { Issue.record($0) }.store(in: &tokens)
    }
    try write("a", named: "A")
    stacks.endEvent()
    #expect(stacks.names == [[["A"], ["C"]], []])
    first.cancel()
    try write("d", named: "D")
    stacks.endEvent()
    #expect(stacks.names == [[["A"], ["C"], ["D"]], []])
  }

  @Test func `S9: a commit that reacts to an undo can be undone, and isn't its redo`()
    async throws
  {
    let token = UndoBridge.begin(for: store, stacks) { Issue.record($0) }
    try write("a", named: "A")
    stacks.endEvent()
    let reaction = store.commits.subscribe(on: .mainActor) { commit in
      guard commit.name == nil else { return }
      do { try self.write("b", named: "B") } catch { Issue.record(error) }
    }
    stacks.undoGroup()
    reaction.cancel()
    #expect(try text() == "b" && store.undoNames == ["B"] && store.redoNames.isEmpty)
    #expect(await becomesTrue { stacks.names == [[["B"]], []] })
    stacks.undoGroup()
    #expect(try text() == nil && stacks.names == [[], [["B"]]])
    token.cancel()
  }

  @Test func `S9: after a fault of the storage the history stays, and is registered again`()
    async throws
  {
    let storage = FaultyStorage(InMemoryStorage())
    let store = try Store(.custom { storage }, entities: [Note.self])
    store.historyLimit = 10
    var errors: [any Error] = []
    let token = UndoBridge.begin(for: store, stacks) { errors.append($0) }
    for name in ["A", "B"] {
      try store.commit(named: name) { try $0.upsert(Note(id: 1, text: name)) }
    }
    stacks.endEvent()
    // The second action of the event finds that the first one hasn't undone B.
    storage.fail(at: .commit, with: StoreError.storage(StorageFault(.full, "full")))
    stacks.undoGroup()
    #expect(errors.count == 1)
    #expect(store.undoNames == ["A", "B"])
    // A commit that comes before all are registered again isn't registered twice.
    try store.commit(named: "C") { try $0.upsert(Note(id: 2, text: "C")) }
    stacks.endEvent()
    while stacks.names[0].count < 3 { await Task.yield() }
    #expect(stacks.names == [[["A"], ["B"], ["C"]], []])
    stacks.undoGroup()
    #expect(try store.find(Note.self, 2) == nil)
    token.cancel()
  }

  @Test func `S9: an undo that is refused is reported, and ends what was before it`() throws {
    var errors: [any Error] = []
    let token = UndoBridge.begin(for: store, stacks) { errors.append($0) }
    try write("a", named: "A")
    stacks.endEvent()
    try write("b", named: "B")
    stacks.endEvent()
    try write("x")
    stacks.undoGroup()
    #expect(errors.count == 1)
    guard case StoreError.changedSince? = errors.first else {
      Issue.record("\(errors)")
      return
    }
    #expect(stacks.names == [[], []])
    #expect(store.undoNames.isEmpty)
    try write("c", named: "C")
    stacks.endEvent()
    stacks.undoGroup()
    #expect(try text() == "x")
    token.cancel()
  }

  @Test func `S9: of two undo managers neither undoes another commit than it shows`() async throws {
    let other = UndoStacks()
    let tokens = [stacks, other].map { UndoBridge.begin(for: store, $0) { Issue.record($0) } }
    for text in ["a", "b"] {
      try write(text, named: "Write")
      stacks.endEvent()
      other.endEvent()
    }
    stacks.undoGroup()
    #expect(try text() == "a")
    other.undoGroup()
    #expect(try text() == "a", "it shows the second commit")
    #expect(await becomesTrue { other.names == [[["Write"]], []] })
    other.undoGroup()
    #expect(try text() == nil)
    stacks.redoGroup()
    #expect(try text() == nil, "it shows the second commit, and the first one comes before")
    withExtendedLifetime(tokens) {}
  }

  @Test func `R6: the connection to an undo manager doesn't keep the store`() throws {
    weak var weakStore: Store?
    let token: SubscriptionToken
    do {
      let own = try Store(.inMemory, entities: [Note.self])
      weakStore = own
      own.historyLimit = 10
      token = UndoBridge.begin(for: own, stacks) { Issue.record($0) }
      try own.commit(named: "A") { try $0.insert(Note(id: 1, text: "a")) }
      stacks.endEvent()
      #expect(stacks.names == [[["A"]], []])
    }
    #expect(weakStore == nil)
    stacks.undoGroup()
    #expect(stacks.names == [[], []])
    withExtendedLifetime(token) {}
  }

  @Test func `S9: an undo doesn't overtake a commit that isn't registered yet`() async throws {
    let token = UndoBridge.begin(for: store, stacks) { Issue.record($0) }
    try write("a", named: "A")
    stacks.endEvent()
    let store = store
    // The main actor waits, so the commit can't be registered.
    onThreads(1) { _ in
      try? store.commit(named: "B") { try $0.upsert(Note(id: 1, text: "b")) }
    }
    stacks.undoGroup()
    await store.flush()
    #expect(await becomesTrue { stacks.names[0] == [["A"], ["B"]] })
    stacks.endEvent()
    #expect(stacks.names[0].flatMap { $0 } == store.undoNames)
    #expect(stacks.names[1].isEmpty && store.redoNames.isEmpty)
    stacks.undoGroup()
    #expect(try text() == "a" && stacks.names == [[["A"]], [["B"]]])
    stacks.redoGroup()
    stacks.undoGroup()
    stacks.undoGroup()
    #expect(try text() == nil && stacks.names == [[], [["B"], ["A"]]])
    token.cancel()
  }
}
