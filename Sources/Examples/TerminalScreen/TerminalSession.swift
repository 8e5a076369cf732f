/// The screen of a terminal while a program uses it.
///
///     let session = try TerminalSession(isColored: true)
///     session.show(rows)
///     for await event in session.events {
///       if event == .key(.character("q")) { break }
///     }
///     session.close()
///
/// The terminal is restored after ``close()``, after a crash or a signal, and while the program is
/// stopped by Control-Z. Between two events, the main actor is free. A store's models can deliver
/// there.
@MainActor package final class TerminalSession {
  /// The events, in order, for one loop.
  package let events: AsyncStream<ScreenEvent>
  private let continuation: AsyncStream<ScreenEvent>.Continuation
  private let device: TerminalDevice
  private let reader: TerminalReader
  private var canvas: Canvas
  private var isOpen = true

  /// Takes the terminal.
  ///
  /// - Throws: ``TerminalError`` if there is no terminal to read keys from.
  package init(isColored: Bool) throws(TerminalError) {
    device = try TerminalDevice()
    (events, continuation) = AsyncStream.makeStream()
    reader = TerminalReader(device, continuation)
    canvas = Canvas(size: device.size, isColored: isColored)
    reader.start()
    device.take()
  }

  /// The number of columns and rows.
  package var size: ScreenSize { canvas.size }

  /// Shows these rows from the top, and returns the number of rows that differed from the screen.
  @discardableResult package func show(_ rows: [StyledRow]) -> Int {
    let update = canvas.update(to: rows)
    if !update.text.isEmpty { device.write(update.text) }
    return update.rowsWritten
  }

  /// Makes the next ``show(_:)`` draw everything.
  ///
  /// Call it for the event ``ScreenEvent/redraw(_:)``.
  package func redraw(size: ScreenSize) {
    canvas.invalidate(size: size)
    device.write("\u{1B}[2J")
  }

  /// Restores the terminal, and ends the events.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    // This is first, because after the signals are released, another one may end the program.
    device.giveBack()
    reader.stop()
    // A signal may have taken it again in the meantime.
    device.giveBack()
    continuation.finish()
  }
}
