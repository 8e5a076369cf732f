import Foundation
import Signalbox
import TestSupport
import Testing

@Suite struct TodoAppTests {
  private let home = TodoProject(id: UUID(), name: "Home")
  private let path = temporaryPath("todo")

  private func openStore() throws -> Store {
    try Store(.sqlite(path: path), entities: [TodoProject.self, TodoItem.self])
  }

  private func item(_ title: String, _ priority: TodoPriority = .normal) -> TodoItem {
    TodoItem(id: UUID(), title: title, priority: priority, project: Ref(home))
  }

  @Test @MainActor
  func `A to-do app written from the guides lists, opens, finishes and finds its items`()
    throws
  {
    do {
      let store = try openStore()
      try store.commit { draft in
        try draft.insert(home)
        try draft.insert(contentsOf: [item("Item 10"), item("Item 9"), item("Taxes", .high)])
      }
    }
    let store = try openStore()
    let list = try TodoListScreen(store)
    #expect(list.lines == ["Home: 3", "- Taxes", "- Item 9", "- Item 10"])

    let taxes = try #require(try store.first(Query<TodoItem>().filter { $0.title == "Taxes" }))
    let detail = try TodoDetailScreen(taxes.id, store)
    try store.commit { try $0.update(TodoProject.self, home.id) { $0.name = "House" } }
    #expect(list.lines.first == "House: 3")
    #expect(detail.text == "Taxes, of House")

    try detail.finish()
    #expect(list.lines == ["House: 2", "- Item 9", "- Item 10"])
    #expect(detail.text == "Taxes, of House, done")
    try list.search("item 1")
    #expect(list.lines == ["House: 1", "- Item 10"])
    try list.search("")
    #expect(list.lines == ["House: 2", "- Item 9", "- Item 10"])

    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(TodoProject(id: UUID(), name: "House")) }
    }
    try store.commit { try $0.delete(TodoProject.self, home.id) }
    #expect(list.lines == [])
    #expect(detail.text == "gone")
  }
}
