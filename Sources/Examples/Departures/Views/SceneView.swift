import TerminalScreen

/// A view that shows a scene on a screen and handles its keys.
@MainActor struct SceneView {
  let scene: BoardScene

  /// Returns the rows of a screen of this size.
  func lines(size: ScreenSize) throws -> [StyledRow] {
    let view = BoardView(columns: size.columns, rows: size.rows)
    let page = try scene.boardPage(height: view.listHeight)
    switch scene.screen {
    case .detail(let presenter) where scene.prompt == nil:
      return DetailView(rows: size.rows)
        .lines(for: presenter.page, clock: "\(page.clock)  \(page.pace)", note: page.note)
    case .inspector where scene.prompt == nil:
      return InspectorView(columns: size.columns, rows: size.rows)
        .lines(for: scene.inspectorPage, clock: "\(page.clock)  \(page.pace)")
    case .help where scene.prompt == nil: return HelpView.lines(size: size)
    default: return view.lines(for: page, prompt: prompt)
    }
  }

  private var prompt: String? {
    switch scene.prompt {
    case .search: "search: \(scene.input)"
    case .airline(let code): "name of \(code): \(scene.input)"
    case .aircraft(let tailNumber): "model of \(tailNumber): \(scene.input)"
    case nil: nil
    }
  }

  /// Handles a key: as input of the text that is being typed, or as a command.
  func take(_ key: Key) {
    guard scene.prompt != nil else {
      if let command = BoardKeys.command(for: key) { scene.perform(command) }
      return
    }
    switch key {
    case .enter: scene.finishTyping(accepts: true)
    case .escape: scene.finishTyping(accepts: false)
    default:
      var input = TextInput(scene.input)
      if input.take(key) { scene.type(input.text) }
    }
  }
}
