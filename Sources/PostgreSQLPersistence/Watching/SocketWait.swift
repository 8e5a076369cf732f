#if PostgreSQL
internal import EntityStore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A wait for a socket that another thread can end.
final class SocketWait: Sendable {
  /// The ends of a pipe.
  let reading: Int32
  let writing: Int32

  /// Opens a pipe, which child processes don't get.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the process may open no more files.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw StoreError.fault(
        .other,
        "Too many files are open to look for commits of others; close some and open the store again"
      )
    }
    (reading, writing) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Ends the wait, or the next one.
  func call() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Waits until a socket has something to read, until `call`, or for some time.
  func wait(for socket: Int32?, atMost time: Duration) {
    // A part of a millisecond is waited for as a whole one.
    let (seconds, rest) = max(time, .zero).components
    let milliseconds = seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000
    var all = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
    if let socket { all.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
    _ = poll(&all, nfds_t(all.count), Int32(milliseconds))
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reading, &bytes, bytes.count) > 0 {}
  }
}
#endif
