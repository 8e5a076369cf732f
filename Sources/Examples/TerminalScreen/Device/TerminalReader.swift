import Foundation

/// A thread that waits for keys and signals, and sends them as events.
final class TerminalReader: Sendable {
  private let device: TerminalDevice
  private let events: AsyncStream<ScreenEvent>.Continuation
  /// The pipe from which signals are read.
  private let pipe = UnsafeTerminalState.memory.pointee.pipe
  /// A semaphore that is signalled when the thread ends.
  private let ended = DispatchSemaphore(value: 0)

  /// The time without further bytes after which an Escape is the Escape key.
  private static let escapeMilliseconds: Int32 = 40

  init(_ device: TerminalDevice, _ events: AsyncStream<ScreenEvent>.Continuation) {
    self.device = device
    self.events = events
  }

  func start() {
    // A handler of an earlier reader may have written these bytes late.
    while !bytes(from: pipe.read).isEmpty {}
    TerminalSignals.take()
    let thread = Thread {
      self.run()
      self.ended.signal()
    }
    thread.name = "keys"
    thread.start()
  }

  /// Ends the thread and waits for its end.
  ///
  /// Afterwards, no signal is handled.
  func stop() {
    TerminalSignals.release()
    // Zero isn't the number of a signal.
    var end: UInt8 = 0
    while write(pipe.write, &end, 1) != 1 {
      // The pipe is full. The thread reads from it, unless the thread has ended.
      if ended.wait(timeout: .now() + .milliseconds(1)) == .success { return }
    }
    ended.wait()
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
      if count == 0 { send(decoder.flush()) }
      if waiting[0].revents != 0 {
        let signals = bytes(from: pipe.read)
        for signal in signals where signal != 0 { take(Int32(signal), &hasEnded) }
        if signals.contains(0) { break }
      } else if waiting[1].revents != 0 {
        let keys = bytes(from: device.input)
        if keys.isEmpty {
          events.yield(.end(signal: SIGHUP))
          break
        }
        send(decoder.decode(keys))
      }
    }
  }

  private func send(_ keys: [Key]) {
    for key in keys { events.yield(.key(key)) }
  }

  private func take(_ number: Int32, _ hasEnded: inout Bool) {
    switch number {
    case SIGTSTP:
      device.giveBack()
      TerminalSignals.stop()
      // If there is no shell to return to, nothing was stopped and no SIGCONT arrives.
      resume()
    case SIGCONT: resume()
    case SIGWINCH: events.yield(.redraw(device.size))
    default:
      if hasEnded {
        // The program was asked before and is busy. No stored data depend on its end.
        device.giveBack()
        TerminalSignals.end(number)
      }
      hasEnded = true
      events.yield(.end(signal: number))
    }
  }

  private func resume() {
    TerminalSignals.takeStops()
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
