#if canImport(SwiftUI)
import Signalbox
import SignalboxUI
import SwiftUI
import TodoState

/// All lists, a search field, and a field for what is new.
struct TodoScreen: View {
  @State private var search = ""
  @State private var hidesDone = false

  var body: some View {
    NavigationStack {
      TodoList(search: search, hidesDone: hidesDone)
        .searchable(text: $search)
        .navigationTitle("To do")
        .toolbar { Toggle("Hide done", isOn: $hidesDone) }
    }
  }
}

/// The lists that a search finds.
struct TodoList: View {
  @Environment(\.store) private var store
  @Fetched<Todo> private var todos: ListSnapshot<EntityView<Todo>>
  @State private var failure: String?

  init(search: String, hidesDone: Bool) {
    _todos = Fetched(.todos(matching: search, hidingDone: hidesDone), animation: .default)
  }

  var body: some View {
    List {
      if let error = $todos.error { Text(verbatim: "\(error)") }
      if let failure { Text(failure) }
      ForEach(todos.sections) { section in
        Section(section.name) {
          ForEach(section) { todo in TodoRow(id: todo.id) }
        }
      }
      NewTodo { title in commit { try $0.addTodo(title, to: "Home") } }
      Button("Delete what is done") { commit { try $0.clearDoneTodos() } }
      Button("Undo") { commit { _ = try $0.undo() } }
    }
  }

  private func commit(_ change: (Store) throws -> Void) {
    do {
      if let store { try change(store) }
      failure = nil
    } catch {
      failure = error.localizedDescription
    }
  }
}

/// One thing to do: a box to tick, and its title.
struct TodoRow: View {
  @Observed<Todo> private var todo: EntityView<Todo>?

  init(id: Todo.ID) { _todo = Observed(id) }

  var body: some View {
    VStack(alignment: .leading) {
      if let todo { Toggle(todo.title, isOn: $todo.named("Check off").isDone) }
      if let error = $todo.state.error { Text(verbatim: "\(error)") }
    }
  }
}

/// A field that adds something to do.
struct NewTodo: View {
  private let add: (String) -> Void
  @State private var title = ""

  init(_ add: @escaping (String) -> Void) { self.add = add }

  var body: some View {
    TextField("New", text: $title).onSubmit {
      add(title)
      title = ""
    }
  }
}

#Preview { TodoScreen().store(try? .sampleTodos()) }
#endif
