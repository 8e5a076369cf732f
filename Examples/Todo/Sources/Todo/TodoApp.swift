#if canImport(SwiftUI)
import Signalbox
import SignalboxUI
import SwiftUI
import TodoState

@main struct TodoApp: App {
  private let store = Result {
    let folder = URL.applicationSupportDirectory.appending(path: "Todo")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try Store.todos(at: folder.appending(path: "todos.sqlite").path(percentEncoded: false))
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
  static func main() { print("This app needs SwiftUI: run it on a Mac.") }
}
#endif
