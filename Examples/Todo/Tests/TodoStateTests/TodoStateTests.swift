import Signalbox
import SignalboxUI
import Testing
import TodoState

@MainActor @Suite struct TodoStateTests {
  private let store: Store
  private let todos = FetchedState<Todo>()

  init() throws { store = try .sampleTodos() }

  private var lines: [String] {
    todos.list.sections.flatMap { section in
      [section.name] + section.map { ($0.isDone ? "x " : "- ") + $0.title }
    }
  }

  @Test func `What is open comes first, by list`() {
    todos.show(.todos(), in: store)
    #expect(lines == ["Home", "- Apples", "- Bread", "x Tea", "Work", "- Report"])
  }

  @Test func `A search and a switch choose what is shown`() {
    todos.show(.todos(matching: "RE"), in: store)
    #expect(lines == ["Home", "- Bread", "Work", "- Report"])
    todos.show(.todos(matching: "tea", hidingDone: true), in: store)
    #expect(lines == [])
  }

  @Test func `Ticking moves a row, and undo brings back what was deleted`() throws {
    todos.show(.todos(), in: store)
    let bread = ObservedState<Todo>()
    bread.show(0, in: store)
    bread[\.isDone, named: "Check off"] = true
    #expect(lines == ["Home", "- Apples", "x Bread", "x Tea", "Work", "- Report"])
    try store.clearDoneTodos()
    #expect(lines == ["Home", "- Apples", "Work", "- Report"] && bread.isDeleted)
    #expect(try store.undo() == "Clear")
    #expect(lines.count == 6 && bread.view?.isDone == true)
    #expect(try store.undo() == "Check off")
    #expect(bread.view?.isDone == false)
  }

  @Test func `A title is needed`() throws {
    let id = try store.addTodo("Jam", to: "Home")
    #expect(throws: StoreError.self) { try store.addTodo("", to: "Home") }
    let jam = ObservedState<Todo>()
    jam.show(id, in: store)
    jam[\.title] = ""
    #expect(jam.view?.title == "Jam" && jam.error is StoreError)
  }
}
