import Foundation
import Locking
import TestSupport

/// What another process says through a named pipe: its number first, and then of each commit that
/// returned, its version.
final class Acknowledgements: Sendable {
  let path: String
  private struct State {
    var process: Int32?
    var versions: [Int] = []
  }
  private let state = Locked(State())
  private let thread = Locked<TestThread?>(nil)

  /// Makes the pipe and listens.
  ///
  /// - Parameter body: what to do on each version, with the number of the process.
  init(_ body: @escaping @Sendable (_ process: Int32, _ version: Int) -> Void) {
    path = temporaryPath("pipe")
    mkfifo(path, 0o600)
    // Without waiting for a writer: there may never be one.
    let pipe = open(path, O_RDONLY | O_NONBLOCK)
    let new = TestThread { [weak self] in
      var line: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, -1)
        let count = read(pipe, &buffer, buffer.count)
        if count == 0 { break }
        for byte in buffer.prefix(max(count, 0)) {
          guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            continue
          }
          if let number = Int(String(decoding: line, as: UTF8.self)) { self?.take(number, body) }
          line = []
        }
      }
      close(pipe)
    }
    thread.withLock { $0 = new }
  }

  private func take(_ number: Int, _ body: (Int32, Int) -> Void) {
    let process = state.withLock { state -> Int32? in
      guard let process = state.process else {
        state.process = Int32(number)
        return nil
      }
      state.versions.append(number)
      return process
    }
    if let process { body(process, number) }
  }

  /// The versions, once the process has ended.
  func versions() -> [Int] {
    // Ends the wait for a process that never wrote.
    let end = open(path, O_WRONLY | O_NONBLOCK)
    if end >= 0 { close(end) }
    thread.withLock { $0 }?.join()
    return state.withLock { $0.versions }
  }
}

/// The writing end, in the process that writes.
struct Acknowledging {
  private let pipe: Int32

  init(_ path: String) {
    pipe = open(path, O_WRONLY)
    say(Int(getpid()))
  }

  func say(_ number: Int) {
    let line = Array("\(number)\n".utf8)
    _ = write(pipe, line, line.count)
  }
}
