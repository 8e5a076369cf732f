import DeparturesModel

/// The board in use: the visible screen, the chosen row, and the text that the user types.
///
/// It turns commands into requests to the presenter and to the object that commits. It doesn't know
/// keys or the terminal.
@MainActor final class BoardScene {
  /// The visible screen.
  enum Screen {
    case board
    case detail(DetailPresenter)
    case inspector
    case help
  }

  /// The purpose of the text that is being typed.
  enum Prompt: Hashable {
    case search
    case airline(code: String)
    case aircraft(tailNumber: String)
  }

  let presenter: BoardPresenter
  let playback: Playback
  private let inspector: Inspector
  private let leavingSoon: LeavingSoon?
  private let commands: any BoardCommands
  private(set) var screen = Screen.board
  private(set) var prompt: Prompt?
  /// The text that is being typed.
  var input = ""
  /// A message for the user, which stays until the next command.
  var note: String
  private(set) var hasEnded = false
  /// The number of rows of a page when it was last shown.
  private var pageHeight = 10

  init(
    _ presenter: BoardPresenter, _ playback: Playback, commands: any BoardCommands,
    leavingSoon: LeavingSoon? = nil, note: String = ""
  ) {
    self.presenter = presenter
    self.playback = playback
    self.commands = commands
    self.leavingSoon = leavingSoon
    self.note = note
    inspector = Inspector(presenter)
  }

  // MARK: Commands

  /// Carries out a command.
  ///
  /// An error becomes a note.
  func perform(_ command: BoardCommand) {
    note = ""
    do {
      try carryOut(command)
    } catch {
      note = "\(error)"
    }
  }

  private func carryOut(_ command: BoardCommand) throws {
    switch command {
    case .move(let count): presenter.move(by: count)
    case .movePage(let count): presenter.move(by: count * max(1, pageHeight - 2))
    case .moveToStart: presenter.choose(0)
    case .moveToEnd: presenter.choose(presenter.rowCount - 1)
    case .nextSection: presenter.moveToSection(1)
    case .previousSection: presenter.moveToSection(-1)
    case .switchSections:
      var request = presenter.request
      request.grouping = request.grouping.next
      try presenter.show(request)
      try presenter.followChosen()
    case .pauseOrResume: playback.isPaused.toggle()
    case .faster: playback.change(by: 2)
    case .slower: playback.change(by: 0.5)
    case .search: begin(.search, with: presenter.request.search)
    case .open:
      guard let id = presenter.chosen?.id else { return }
      screen = .detail(
        try DetailPresenter(id, in: presenter.store, clocks: presenter.clocks) { [presenter] in
          presenter.clock
        })
    case .inspect:
      if case .inspector = screen { screen = .board } else { screen = .inspector }
    case .help:
      if case .help = screen { screen = .board } else { screen = .help }
    case .renameAirline: try beginRenaming { ($0.carrier, $0.airline) }
    case .renameAircraft: try beginRenaming { $0.aircraft }
    case .back: if case .board = screen { try search("") } else { screen = .board }
    case .quit: hasEnded = true
    }
  }

  // MARK: Typing

  private func begin(_ prompt: Prompt, with text: String) {
    self.prompt = prompt
    input = text
  }

  /// Changes the typed text.
  ///
  /// A search is applied immediately.
  func type(_ text: String) {
    input = text
    guard prompt == .search else { return }
    do {
      try search(text)
    } catch {
      note = "\(error)"
    }
  }

  /// Accepts or discards the typed text.
  func finishTyping(accepts: Bool) {
    guard let prompt else { return }
    self.prompt = nil
    do {
      switch prompt {
      case .search: if !accepts { try search("") }
      case .airline(let code):
        if accepts, !input.isEmpty { try commands.rename(airline: code, to: input) }
        try presenter.followChosen()
      case .aircraft(let tailNumber):
        if accepts, !input.isEmpty { try commands.rename(aircraft: tailNumber, to: input) }
      }
    } catch {
      note = "\(error)"
    }
  }

  private func search(_ text: String) throws {
    var request = presenter.request
    request.search = text
    try presenter.show(request)
    try presenter.followChosen()
  }

  private func beginRenaming(_ kind: (FlightNames) -> (code: String, name: String)?) throws {
    guard let names = presenter.namesOfChosen else { return }
    guard let (code, name) = kind(names) else {
      note = "Nothing is known of this flight's aircraft."
      return
    }
    let isAirline = code == names.carrier
    begin(isAirline ? .airline(code: code) : .aircraft(tailNumber: code), with: name)
  }

  // MARK: Pages

  /// Returns the page for a number of lines.
  func boardPage(height: Int) throws -> BoardPage {
    pageHeight = height
    var page = try presenter.page(at: playback.minute, height: height)
    page.pace = playback.description
    page.note = note
    page.leavingSoon = leavingSoon?.count
    return page
  }

  var inspectorPage: InspectorPage { inspector.page }
}
