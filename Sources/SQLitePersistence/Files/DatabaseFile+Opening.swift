internal import EntityStore
internal import SQLiteLibrary

extension DatabaseFile {
  /// The arguments with which SQLite opens a file.
  struct Opening {
    let name: String
    let flags: Int32
    let vfs: String?
  }

  func opening(_ flags: Int32) -> Opening { Opening(name: path, flags: flags, vfs: vfs) }

  /// Opens a file that nobody has open for writing, without a WAL and without shared memory.
  ///
  /// SQLite takes no lock then, and notices no change. `Connection+Opening` does both.
  var openingAlone: Opening { openingReadOnly("immutable=1") }

  /// Opens a file beside its writer, with the writer's WAL and shared memory, or one that needs no
  /// WAL.
  ///
  /// SQLite doesn't write to the shared memory. If no process has it open, SQLite doesn't read it
  /// either, and finds the pages of the WAL by reading the WAL.
  var openingBesideWriter: Opening { openingReadOnly("readonly_shm=1") }

  private func openingReadOnly(_ option: String) -> Opening {
    Opening(
      name: "file:\(path.hasPrefix("/") ? "//" : "")\(Self.escaped(path))?\(option)",
      flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, vfs: vfs ?? ReadingFileSystem.name)
  }

  /// Runs `body`, again while another connection has the file, until the busy timeout is over.
  ///
  /// It is for errors for which SQLite doesn't wait.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  func waiting<Result>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + busyTimeout
    while true {
      do {
        return try body()
      } catch StoreError.storage(let fault) where fault.kind == .busy && .now < end {
        sqlite3_sleep(2)
      }
    }
  }

  /// Returns a path with the bytes escaped that have a meaning in a URL.
  private static func escaped(_ path: String) -> String {
    var escaped = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        escaped += "%" + TextBytes.hexadecimal([byte])
      }
    }
    return escaped
  }
}
