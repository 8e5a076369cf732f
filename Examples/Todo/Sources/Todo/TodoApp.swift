#if canImport(SwiftUI)
import Signalbox
import SignalboxUI
import SwiftUI
import TodoState

#if os(macOS)
import AppKit
#endif

@main struct TodoApp: App {
  private let store = Result {
    let folder = URL.applicationSupportDirectory.appending(path: "Todo")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try Store.todos(at: folder.appending(path: "todos.sqlite").path(percentEncoded: false))
  }

  #if os(macOS)
  init() {
    // A package's program has no bundle. The system takes it for a tool, and a tool gets no keys.
    NSApplication.shared.setActivationPolicy(.regular)
    Task { NSApplication.shared.activate() }
  }
  #endif

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
