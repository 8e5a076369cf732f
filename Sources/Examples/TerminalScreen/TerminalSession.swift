/// A terminal's screen while a program has it.
///
///     let session = try TerminalSession(isColored: true)
///     session.show(rows)
///     for await event in session.events {
///       if event == .key(.character("q")) { break }
///     }
///     session.close()
///
/// The terminal is as it was found after ``close()``, after a crash or a signal, and while the program is stopped by
/// Control-Z. Between two events the main actor is free, so that a store's models deliver there.
@MainActor package final class TerminalSession {
  /// What happens, in order; for one loop.
  package let events: AsyncStream<ScreenEvent>
  private let continuation: AsyncStream<ScreenEvent>.Continuation
  private let device: TerminalDevice
  private let reader: TerminalReader
  private var canvas: Canvas
  private var isOpen = true

  /// Takes the terminal.
  ///
  /// - Throws: ``TerminalError`` if there is nothing to read keys from.
  package init(isColored: Bool) throws(TerminalError) {
    device = try TerminalDevice()
    (events, continuation) = AsyncStream.makeStream()
    reader = TerminalReader(device, continuation)
    canvas = Canvas(size: device.size, isColored: isColored)
    reader.start()
    device.take()
  }

  /// Columns and rows.
  package var size: ScreenSize { canvas.size }

  /// Shows these rows from the top, and says how many of them differed from what was there.
  @discardableResult package func show(_ rows: [StyledRow]) -> Int {
    let update = canvas.update(to: rows)
    if !update.text.isEmpty { device.write(update.text) }
    return update.rowsWritten
  }

  /// Has everything drawn at the next ``show(_:)``: what an event ``ScreenEvent/redraw(_:)`` asks for.
  package func redraw(size: ScreenSize) {
    canvas.invalidate(size: size)
    device.write("\u{1B}[2J")
  }

  /// Gives the terminal back, and ends the events.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    // First: once the signals are released, another one may end the program.
    device.giveBack()
    reader.stop()
    // A signal may have had it taken again meanwhile.
    device.giveBack()
    continuation.finish()
  }
}
