#if PostgreSQL && os(Linux)
import EntityStore
import Foundation
import TestSupport
import Testing

@_spi(Storage) @testable import PostgreSQLPersistence

@Suite struct `The wait of the thread that follows a server` {
  @Test func `child processes don't get its pipe`() async {
    await #expect(processExitsWith: .success) {
      let wait = try SocketWait()
      for end in [wait.reading, wait.writing] {
        let flags = fcntl(end, F_GETFD)
        precondition(flags >= 0 && flags & FD_CLOEXEC != 0)
      }
      // It still ends a wait.
      wait.call()
      wait.wait(for: nil, atMost: .seconds(600))
    }
  }

  @Test func `S6: without file descriptors it is an error`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
      limit.rlim_cur = 3
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
      do {
        _ = try SocketWait()
        exit(1)
      } catch StoreError.storage(let fault) {
        exit(fault.message.contains("close some") ? 7 : 2)
      }
    }
  }
}
#endif
