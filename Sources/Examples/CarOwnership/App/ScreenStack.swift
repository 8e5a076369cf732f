import TerminalScreen

/// The views of the program.
///
/// The top view is visible.
@MainActor final class ScreenStack: ScreenHost {
  private let display: any RowDisplay
  private var views: [any ScreenView] = []

  init(display: any RowDisplay) { self.display = display }

  /// True if the last view has been removed.
  var isEmpty: Bool { views.isEmpty }

  func push(_ view: any ScreenView) {
    views.last?.didDisappear()
    views.append(view)
    view.didAppear()
    setNeedsDisplay()
  }

  func pop() {
    views.popLast()?.didDisappear()
    views.last?.didAppear()
    setNeedsDisplay()
  }

  func setNeedsDisplay() {
    guard let top = views.last else { return }
    let written = display.show(top.rows(for: display.size))
    if top.didDraw(rowsWritten: written, at: .now) { display.show(top.rows(for: display.size)) }
  }

  /// Passes a key to the top view.
  func take(_ key: Key) {
    views.last?.take(key)
    setNeedsDisplay()
  }

  /// Shows the program until its last view is removed or a signal asks it to end.
  ///
  /// While it waits for an event, the main actor is free for the store's deliveries.
  ///
  /// - Returns: The signal, if there was one.
  func run(_ session: TerminalSession) async -> Int32? {
    for await event in session.events {
      switch event {
      case .key(let key): take(key)
      case .redraw(let size):
        session.redraw(size: size)
        setNeedsDisplay()
      case .end(let signal): return signal
      }
      if isEmpty { break }
    }
    return nil
  }
}
