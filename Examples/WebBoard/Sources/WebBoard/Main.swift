import DeparturesModel
import Foundation
import HTTPServer
import Signalbox

#if PostgreSQL
import PostgreSQLPersistence
#endif

/// New York's departures in the browser.
@main enum Main {
  static func main() async {
    do {
      let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp {
        print(Options.help)
        return
      }
      try await run(options)
    } catch is CancellationError {
    } catch {
      let line = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
      FileHandle.standardError.write(Data("webboard: \(line)\n".utf8))
      exit(2)
    }
  }

  private static func run(_ options: Options) async throws {
    FileLimit.raise()
    let tables = try DayTables(
      in: options.data ?? DayTables.bundledFolder, day: options.day, readsYear: options.isYear)
    let store = try Store(backing(options), entities: Dispatcher.entities)
    let run = try BoardRun(
      store, tables, speed: options.speed, until: options.end, startsFresh: options.startsFresh)
    let rounds = HTTPRounds(options.http)
    let site = try Site(run, options, rounds)
    let server = try HTTPServer(
      options.http, rounds: rounds, headers: PageFiles.headers, handle: site.reply)
    // The reader of the next line may ask for the end at once.
    let signals = EndingSignals()
    print("The board is at http://\(options.http.address):\(server.port)/ — Control-C stops it.")
    fflush(nil)
    let replay = Task { try await run.run() }
    let tidying = Task { try await site.tidy() }
    // An error of the store ends the replay. The pages stay, and show what is known.
    let watch = Task {
      if case .failure(let error) = await replay.result, !(error is CancellationError) {
        FileHandle.standardError.write(Data("webboard: the replay has ended: \(error)\n".utf8))
      }
    }
    await signals.wait()
    replay.cancel()
    tidying.cancel()
    await watch.value
    server.stop()
  }

  private static func backing(_ options: Options) throws -> StorageKind {
    if let server = options.server {
      #if PostgreSQL
      return .postgreSQL(server, schema: "departures", durability: .normal)
      #else
      throw InputError(
        "this build has no PostgreSQL; run it with: swift run --traits PostgreSQL WebBoard")
      #endif
    }
    let name = options.isYear ? "webboard-year.sqlite" : "webboard.sqlite"
    let file = options.store ?? DataFolder.url().appending(path: name)
    if options.store == nil { try DataFolder.make(for: file) }
    return .sqlite(path: file.path, durability: .normal, busyTimeout: .seconds(60))
  }
}
