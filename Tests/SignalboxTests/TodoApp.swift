import Foundation
import Signalbox

// A to-do app as somebody writes it who has read the README and its guides: sections, a detail screen and
// a file. `TodoAppTests` runs it.

struct TodoProject: Entity {
  let id: UUID
  var name: String
  static let attributes = Attributes(.id(\TodoProject.id), .attribute("name", \.name))
  static let schema = Schema(attributes, TodoProject.init, rules: [.unique(\.name)])
}

enum TodoPriority: Int, Storable {
  case low, normal, high
}

struct TodoItem: Entity {
  let id: UUID
  var title: String
  var priority = TodoPriority.normal
  var due: Date?
  var isDone = false
  var project: Ref<TodoProject>
  static let attributes = Attributes(
    .id(\TodoItem.id), .attribute("title", \.title), .attribute("priority", \.priority),
    .attribute("due", \.due), .attribute("isDone", \.isDone),
    .one("project", \.project, inverse: \.items, onDelete: .cascade))
  static let schema = Schema(attributes, TodoItem.init, rules: [.index(\.isDone)])
}

extension TodoProject {
  var items: Many<TodoProject, TodoItem> { Many(\.project) }
}

@MainActor final class TodoListScreen {
  private let query: Query<TodoItem>
  private let model: FetchedObjectsModel<TodoItem>
  private let bag = SubscriptionBag()
  private(set) var lines: [String] = []

  init(_ store: Store) throws {
    query = Query<TodoItem>()
      .filter { !$0.isDone }
      .sorted {
        [$0.priority.descending, $0.due.ascending.nilsLast, $0.title.ascending.natural]
      }
      .sectioned(
        by: { $0.project.id }, title: { $0.project.name }, order: { $0.project.name.ascending })
    model = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
    draw()
    model.didChange.subscribe(on: .mainActor) { [weak self] _ in self?.draw() }.store(in: bag)
    model.errors.subscribe(on: .mainActor) { [weak self] error in
      self?.lines.append("\(error)")
    }.store(in: bag)
  }

  /// Shows the items whose titles have a text, or all.
  func search(_ text: String) throws {
    try model.setQuery(
      text.isEmpty ? query : query.filter { $0.title.contains(text, ignoring: .case) })
  }

  private func draw() {
    lines = model.sections.flatMap { section in
      ["\(section.name): \(section.count)"] + section.map { "- \($0.title)" }
    }
  }
}

@MainActor final class TodoDetailScreen {
  private let item: ObservedEntity<TodoItem>
  private var token: SubscriptionToken?
  private(set) var text = ""

  init(_ id: UUID, _ store: Store) throws {
    item = try ObservedEntity(id, in: store, delivery: .mainActor) { $0.project.name }
    draw()
    token = item.didChange.subscribe(on: .mainActor) { [weak self] _ in self?.draw() }
  }

  func finish() throws { try item.update { $0.isDone = true } }

  private func draw() {
    let project = item.project?.name ?? "nothing"
    text = item.isDeleted ? "gone" : "\(item.title), of \(project)\(item.isDone ? ", done" : "")"
  }
}
