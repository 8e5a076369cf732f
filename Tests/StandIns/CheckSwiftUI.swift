// Drives the property wrappers as SwiftUI does: update before each drawing, environment from above.
import EntityStore
import FetchedObjects
import Observation
import SignalboxUI
import SwiftUI

struct Todo: Entity {
  let id: Int
  var title: String
  var list = "Home"
  var isDone = false
  var name = ""
  static let attributes = Attributes(
    .id(\Todo.id), .attribute("title", \.title), .attribute("list", \.list),
    .attribute("isDone", \.isDone), .attribute("name", \.name))
  static let schema = Schema(attributes, Todo.init)
}

struct TodoList: View {
  @Fetched(
    Query<Todo>().sorted { [$0.title.ascending] }.sectioned { $0.list }, animation: .default)
  var todos
  @Fetched<Todo> var ofList: ListSnapshot<EntityView<Todo>>

  init(list: String) {
    _ofList = Fetched(Query().filter { $0.list == list }.sorted { [$0.title.ascending] })
  }

  /// What SwiftUI does before it draws.
  func update() {
    _todos.update()
    _ofList.update()
  }

  /// What the body would show: the titles by section.
  var lines: [String] {
    todos.sections.flatMap { section in [section.name] + section.map { "- \($0.title)" } }
  }

  var body: some View { Text(lines.joined(separator: "\n")) }
}

struct TodoDetail: View {
  @Observed<Todo> var todo: EntityView<Todo>?

  init(id: Todo.ID) { _todo = Observed(id) }

  func update() { _todo.update() }

  var body: some View {
    if let todo { Text("\(todo.title): \($todo.isDone.wrappedValue)") } else { Text("deleted") }
  }
}

struct TodoCount: View {
  @FetchedValue({ try $0.count(Query<Todo>()) }) var all: Int?
  @FetchedValue<Int> var ofList: Int?

  init(list: String) {
    _ofList = FetchedValue(for: list) {
      try $0.count(Query<Todo>().filter { $0.list == list })
    }
  }

  func update() {
    _all.update()
    _ofList.update()
  }

  var body: some View { Text("\(ofList ?? 0) of \(all ?? 0)") }
}

@main struct Check {
  static func main() async throws {
    let view = TodoList(list: "Work")
    view.update()
    expect(view.lines == [] && view.$todos.error is MissingStore, "no store")

    let store = try Store(.inMemory, entities: [Todo.self])
    try store.commit { draft in
      try draft.insert(Todo(id: 1, title: "Tea"))
      try draft.insert(Todo(id: 2, title: "Report", list: "Work"))
    }
    _ = Text("").store(store)
    view.update()
    expect(view.lines == ["Home", "- Tea", "Work", "- Report"], "first list: \(view.lines)")
    expect(view.$todos.error == nil && view.ofList.rows.map(\.id) == [2], "with a store")

    var draws = 0
    withObservationTracking {
      _ = view.body
    } onChange: {
      MainActor.assumeIsolated { draws += 1 }
    }
    try store.commit { try $0.insert(Todo(id: 3, title: "Bread")) }
    expect(draws == 1 && animatedChanges == 1, "an animated change: \(draws), \(animatedChanges)")
    expect(view.lines == ["Home", "- Bread", "- Tea", "Work", "- Report"], "after a commit")

    let count = TodoCount(list: "Home")
    expect(count.all == nil, "a value before the first drawing")
    count.update()
    expect(count.all == 3 && count.ofList == 2 && count.$all.error == nil, "values")
    try store.commit { try $0.insert(Todo(id: 4, title: "Mail", list: "Work")) }
    expect(count.all == 4 && count.ofList == 2, "values after a commit")

    let detail = TodoDetail(id: 1)
    detail.update()
    let isDone = detail.$todo.isDone
    expect(!isDone.wrappedValue, "as it is stored")
    isDone.wrappedValue = true
    try expect(store.find(Todo.self, 1)?.isDone == true && isDone.wrappedValue, "committed")
    store.historyLimit = 10
    let named = detail.$todo.named("Check off").isDone
    named.wrappedValue = false
    expect(store.undoNames == ["Check off"] && !isDone.wrappedValue, "committed under a name")
    try store.undo()
    expect(isDone.wrappedValue, "undone")
    let name: Binding<String> = detail.$todo.named("Rename").name
    name.wrappedValue = "Ann"
    expect(detail.$todo.name.wrappedValue == "Ann", "an attribute with the name `name`")
    let title = Bindable(detail.$todo.state)[dynamicMember: \.[\.title]]
    title.wrappedValue = "Green tea"
    expect(detail.todo?.title == "Green tea", "a binding by its path")
    let other = TodoDetail(id: 2)
    other.update()
    let bound = other.$todo.title
    other.$todo.state.show(4, in: store)
    bound.wrappedValue = "Oats"
    try expect(
      store.find(Todo.self, 2)?.title == "Oats" && store.find(Todo.self, 4)?.title == "Mail",
      "a binding changes the object that it was made for")
    expect(bound.wrappedValue == "Oats", "a binding shows the object that it was made for")
    try store.commit { try $0.delete(Todo.self, 1) }
    isDone.wrappedValue = false
    expect(detail.todo == nil && detail.$todo.state.error is StoreError, "deleted")
    await checkFirstDrawing()
    print("SwiftUI: the property wrappers follow store, query and object")
  }

  /// Draws views for the first time: no state has been read before, so none is notified.
  static func checkFirstDrawing() async {
    let (list, detail) = (TodoList(list: "Home"), TodoDetail(id: 2))
    let count = TodoCount(list: "Home")
    func update() {
      list.update()
      detail.update()
      count.update()
    }
    update()
    var draws = 0
    withObservationTracking {
      _ = (list.body, list.ofList, list.$todos.error)
      _ = (detail.body, detail.$todo.state.error)
      _ = (count.body, count.$all.error)
    } onChange: {
      MainActor.assumeIsolated { draws += 1 }
    }
    for _ in 0..<10 { await Task.yield() }
    update()
    for _ in 0..<10 { await Task.yield() }
    expect(draws == 0, "a second drawing although nothing has changed")
    expect(!list.todos.isEmpty && detail.todo != nil && count.all == 3, "what is drawn first")
    // Who has read a state is notified when it follows another store.
    _ = Text("").store(nil)
    update()
    expect(draws == 0, "a drawing in the middle of another one")
    for _ in 0..<10 { await Task.yield() }
    expect(draws == 1 && list.todos.isEmpty, "a drawing without the store: \(draws)")
  }

  static func expect(_ condition: @autoclosure () throws -> Bool, _ note: String) rethrows {
    if try !condition() { fatalError("Wrong: \(note)") }
  }
}
