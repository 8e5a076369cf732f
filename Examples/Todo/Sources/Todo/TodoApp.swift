#if canImport(SwiftUI)
import Signalbox
import SignalboxUI
import SwiftUI
import TodoState

@main struct TodoApp: App {
  private let store = Result {
    let file = URL.documentsDirectory.appending(path: "todos.sqlite")
    return try Store.todos(at: file.path(percentEncoded: false))
  }

  var body: some Scene {
    WindowGroup {
      switch store {
      case .success(let store): TodoScreen().store(store)
      case .failure(let error): Text("The list can't be opened. \(error.localizedDescription)")
      }
    }
  }
}
#else
@main struct TodoApp {
  static func main() { print("This app needs SwiftUI: run it on a Mac, an iPhone or an iPad.") }
}
#endif
