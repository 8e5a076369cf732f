import Foundation

/// A thread that waits for keys and signals, and tells them as events.
final class TerminalReader: Sendable {
  private let device: TerminalDevice
  private let events: AsyncStream<ScreenEvent>.Continuation
  /// Signals come in at the second end.
  private let pipe: (read: Int32, write: Int32)

  /// How long nothing must follow an Escape for it to be the key.
  private static let escapeMilliseconds: Int32 = 40

  init(_ device: TerminalDevice, _ events: AsyncStream<ScreenEvent>.Continuation) {
    self.device = device
    self.events = events
    var ends: [Int32] = [-1, -1]
    _ = Foundation.pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    pipe = (ends[0], ends[1])
  }

  func start() {
    TerminalSignals.take(pipe: pipe.write)
    let thread = Thread { self.run() }
    thread.name = "keys"
    thread.start()
  }

  /// Lets the thread end; no signal is taken any more.
  func stop() {
    TerminalSignals.release()
    close(pipe.write)
  }

  private func run() {
    var decoder = KeyDecoder()
    var hasEnded = false
    while true {
      var waiting = [
        pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0),
        pollfd(fd: device.input, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&waiting, 2, decoder.isWaiting ? Self.escapeMilliseconds : -1)
      if count < 0 { continue }  // a signal, which is in the pipe
      if count == 0 { tell(decoder.flush()) }
      if waiting[0].revents != 0 {
        let signals = bytes(from: pipe.read)
        if signals.isEmpty { break }
        for signal in signals { take(Int32(signal), &hasEnded) }
      } else if waiting[1].revents != 0 {
        let keys = bytes(from: device.input)
        if keys.isEmpty {
          events.yield(.end(signal: SIGHUP))
          break
        }
        tell(decoder.decode(keys))
      }
    }
    close(pipe.read)
  }

  private func tell(_ keys: [Key]) {
    for key in keys { events.yield(.key(key)) }
  }

  private func take(_ number: Int32, _ hasEnded: inout Bool) {
    switch number {
    case SIGTSTP:
      device.giveBack()
      TerminalSignals.stop()
      // Where there is no shell to go back to, nothing was stopped and no SIGCONT comes.
      resume()
    case SIGCONT: resume()
    case SIGWINCH: events.yield(.redraw(device.size))
    default:
      if hasEnded {
        // The program was asked before and is busy; nothing that is stored depends on its end.
        device.giveBack()
        TerminalSignals.end(number)
      }
      hasEnded = true
      events.yield(.end(signal: number))
    }
  }

  private func resume() {
    device.take()
    events.yield(.redraw(device.size))
  }

  private func bytes(from descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return Array(buffer.prefix(max(0, count)))
    }
  }
}
