#if PostgreSQL
import Foundation
import Locking

/// A way to the tests' server that breaks on command.
///
/// It listens on a socket in a folder of its own, and passes on what arrives there.
final class ServerProxy: Sendable {
  /// What happens to the next parcel that a client sends.
  enum Fault: CaseIterable, Sendable {
    /// It doesn't arrive, and the connection is cut.
    case cutBefore
    /// It arrives, and the connection is cut before the answer.
    case cutAfter
    /// It arrives, and the connection is cut at once.
    case cutAtOnce
    /// It arrives late.
    case delay
    /// The server's answer arrives in part, and the connection is cut.
    case cutWithin
    /// It arrives much later, and the connection is cut before the answer.
    case stall
  }

  let folder: String
  private let server: String
  private let listener: Int32
  private let replacement: (old: [UInt8], new: [UInt8])?
  private struct State {
    /// The number of parcels until the fault.
    var countdown = Int.max
    var fault = Fault.delay
    /// True while connections are refused.
    var isClosed = false
    /// True while nothing passes, and no connection is cut: the way is a cable that was pulled out.
    var isHeld = false
    var hasEnded = false
    var open: Set<Int32> = []
    var faults: [Fault: Int] = [:]
  }
  private let state = Locked(State())

  /// A connection string of a server's database by way of the proxy.
  var connectionString: String {
    "host=\(folder) user=postgres dbname=postgres connect_timeout=300"
  }

  /// How often each fault has happened.
  var faults: [Fault: Int] { state.withLock { $0.faults } }

  /// - Parameters:
  ///   - server: the folder of the server's socket.
  ///   - replacement: bytes of answers that are replaced with others, as many.
  /// - Throws: an error of the system.
  init(to server: String, replacing replacement: (String, String)? = nil) throws {
    self.replacement = replacement.map { (Array($0.0.utf8), Array($0.1.utf8)) }
    self.server = "\(server)/.s.PGSQL.5432"
    folder = NSTemporaryDirectory() + "signalbox-proxy-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    listener = try Self.socket { Glibc.bind($0, $1, $2) }("\(folder)/.s.PGSQL.5432")
    guard listen(listener, 64) == 0 else { throw POSIXError(.EIO) }
    Thread.detachNewThread { [self] in accept() }
  }

  /// Lets something happen to a later parcel.
  ///
  /// - Parameters:
  ///   - fault: what happens.
  ///   - parcels: the number of parcels that still pass.
  func fail(_ fault: Fault, after parcels: Int) {
    state.withLock { ($0.fault, $0.countdown) = (fault, parcels) }
  }

  /// Cuts all connections, and refuses new ones until `open`.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for end in state.open { shutdown(end, Int32(SHUT_RDWR)) }
    }
  }

  func open() { state.withLock { $0.isClosed = false } }

  /// Holds back whatever is sent, until `release`.
  func hold() { state.withLock { $0.isHeld = true } }

  func release() { state.withLock { $0.isHeld = false } }

  func end() {
    close()
    state.withLock { state in
      state.hasEnded = true
      // The thread that accepts may be about to use its number, so that one closes it.
      shutdown(listener, Int32(SHUT_RDWR))
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns a function that makes a socket and uses it with an address, a path.
  static func socket(
    _ use: @escaping (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> (String) throws -> Int32 {
    { path in
      let end = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          use(end, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard result == 0 else {
        Glibc.close(end)
        throw POSIXError(.ECONNREFUSED)
      }
      return end
    }
  }

  /// A client's way to the server and back.
  private final class Way: Sendable {
    /// The number of its directions that have ended.
    let ended = AtomicWord(0)
    /// 1 if the next answer is cut, 2 if half of it arrives.
    let isCut = AtomicWord(0)
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      if client < 0 {
        if state.withLock({ $0.hasEnded }) {
          Glibc.close(listener)
          return
        }
        usleep(1_000)
        continue
      }
      guard !state.withLock({ $0.isClosed }),
        let server = try? Self.socket({ connect($0, $1, $2) })(server)
      else {
        Glibc.close(client)
        continue
      }
      state.withLock { $0.open.formUnion([client, server]) }
      let way = Way()
      for (from, to, isClient) in [(client, server, true), (server, client, false)] {
        Thread.detachNewThread { [self] in
          pass(from, to, isClient: isClient, way)
          shutdown(from, Int32(SHUT_RDWR))
          shutdown(to, Int32(SHUT_RDWR))
          guard way.ended.add(1) == 2 else { return }
          state.withLock { $0.open.subtract([client, server]) }
          Glibc.close(client)
          Glibc.close(server)
        }
      }
    }
  }

  private func pass(_ from: Int32, _ to: Int32, isClient: Bool, _ way: Way) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(from, &bytes, bytes.count, 0)
      if count <= 0 { return }
      if isClient {
        switch nextFault() {
        case nil: break
        case .cutBefore: return
        case .delay: usleep(30_000)
        case .cutAtOnce:
          _ = send(to, bytes, count, Int32(MSG_NOSIGNAL))
          return
        case .cutAfter: way.isCut.store(1)
        case .stall:
          usleep(50_000)
          way.isCut.store(1)
        case .cutWithin: way.isCut.store(2)
        }
      } else if way.isCut.load() != 0 {
        if way.isCut.load() == 2 { _ = send(to, bytes, count / 2, Int32(MSG_NOSIGNAL)) }
        return
      }
      if !isClient { replace(&bytes, count) }
      while state.withLock({ $0.isHeld && !$0.isClosed }) { usleep(5_000) }
      guard send(to, bytes, count, Int32(MSG_NOSIGNAL)) == count else { return }
    }
  }

  private func replace(_ bytes: inout [UInt8], _ count: Int) {
    guard let replacement, count >= replacement.old.count else { return }
    for start in 0...count - replacement.old.count {
      let range = start..<start + replacement.old.count
      if bytes[range].elementsEqual(replacement.old) {
        bytes.replaceSubrange(range, with: replacement.new)
      }
    }
  }

  private func nextFault() -> Fault? {
    state.withLock { state in
      if state.countdown == .max { return nil }
      state.countdown -= 1
      guard state.countdown < 0 else { return nil }
      state.countdown = .max
      state.faults[state.fault, default: 0] += 1
      return state.fault
    }
  }
}
#endif
