import TerminalScreen

/// The keys of the commands.
enum BoardKeys {
  /// Returns the command for a key, or nil if it has none.
  static func command(for key: Key) -> BoardCommand? {
    switch key {
    case .up, .character("k"): .move(by: -1)
    case .down, .character("j"): .move(by: 1)
    case .pageUp: .movePage(by: -1)
    case .pageDown: .movePage(by: 1)
    case .home, .character("g"): .moveToStart
    case .end, .character("G"): .moveToEnd
    case .tab, .right: .nextSection
    case .backTab, .left: .previousSection
    case .character("s"): .switchSections
    case .character(" "): .pauseOrResume
    case .character("+"), .character("="): .faster
    case .character("-"): .slower
    case .character("/"): .search
    case .enter: .open
    case .character("i"): .inspect
    case .character("?"), .character("h"): .help
    case .character("r"): .renameAirline
    case .character("R"): .renameAircraft
    case .escape, .backspace: .back
    case .character("q"): .quit
    default: nil
    }
  }
}
