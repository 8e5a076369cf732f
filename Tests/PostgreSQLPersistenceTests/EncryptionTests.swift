#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
import Foundation
@_spi(Storage) import PostgreSQLPersistence
import TestSupport
import Testing

@Suite(.serialized) struct EncryptionTests {
  private let folder = NSTemporaryDirectory() + "signalbox-keys-\(UUID().uuidString.prefix(8))"

  private func openssl(_ arguments: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try startingProcess { try process.run() }
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  /// Returns a port of this machine that nobody uses.
  private func freePort() -> UInt16 {
    let end = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(end) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(end, $0, length)
        _ = getsockname(end, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  @Test
  func `Over a network the server's certificate is checked, unless the string says otherwise`()
    throws
  {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try openssl(
      "req -new -x509 -days 2 -nodes -newkey rsa:2048 -keyout ca.key -out ca.crt -subj /CN=authority"
    )
    try openssl(
      "req -new -nodes -newkey rsa:2048 -keyout server.key -out server.csr -subj /CN=db.test")
    try openssl(
      "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out server.crt")
    chmod(folder, 0o755)
    chmod(folder + "/server.key", getuid() == 0 ? 0o640 : 0o600)
    if getuid() == 0, let postgres = getpwnam("postgres") {
      // The server reads a key that root owns only if its group may.
      chown(folder + "/server.key", 0, postgres.pointee.pw_gid)
    }
    let port = freePort()
    let server = try TestServer(settings: [
      "fsync=off", "listen_addresses=127.0.0.1", "port=\(port)", "ssl=on",
      "ssl_cert_file=\(folder)/server.crt", "ssl_key_file=\(folder)/server.key",
    ])
    defer { server.stop() }
    func open(_ more: String) throws -> Store {
      try Store(
        .postgreSQL(
          "host=db.test hostaddr=127.0.0.1 port=\(port) user=postgres dbname=postgres "
            + "connect_timeout=300 \(more)"),
        entities: [Person.self, Car.self])
    }
    func fault(_ more: String) -> StorageFault? {
      do { _ = try open(more) } catch StoreError.storage(let fault) { return fault } catch {}
      return nil
    }
    // Without the authority, and with another one.
    for more in ["", "sslrootcert=\(folder)/server.crt"] {
      let refused = fault(more)
      #expect(refused?.kind == .cannotOpen)
      #expect(refused?.message.contains("sslrootcert") ?? false, "\(refused as Any)")
    }
    let store = try open("sslrootcert=\(folder)/ca.crt")
    try store.fillGarage()
    let lines = try Tool(server.connectionString, schema: "signalbox").run(
      "SELECT count(*), min(ssl::int) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
        + "WHERE application_name = 'signalbox'")
    #expect(lines.first?.hasSuffix("|1") ?? false, "\(lines)")
    // Another server's name.
    #expect(
      fault("sslrootcert=\(folder)/ca.crt host=other.test")?.detail?.contains("other.test") ?? false
    )
    // What is said by name holds.
    #expect(try open("sslmode=require").count(Query<Car>()) == 4)
    #expect(try open("sslmode=disable").count(Query<Car>()) == 4)
  }
}
#endif
