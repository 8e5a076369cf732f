import EntityStore
import Fixtures
import Locking
import SQLitePersistence
import TestSupport
import Testing

/// Hooks that note all calls, and may do more.
final class RecordingHooks: StoreHooks {
  /// A call: the report is nil for a beginning.
  struct Call: Sendable {
    let operation: StoreOperation
    let report: StoreReport?
    let thread: Int
  }

  private let log = Log<Call>()
  private let action: @Sendable (Call) -> Void

  init(_ action: @escaping @Sendable (Call) -> Void = { _ in }) { self.action = action }

  func began(_ operation: StoreOperation) { note(operation, nil) }

  func ended(_ operation: StoreOperation, _ report: StoreReport) { note(operation, report) }

  private func note(_ operation: StoreOperation, _ report: StoreReport?) {
    let call = Call(operation: operation, report: report, thread: CurrentThread.token)
    log.note(call)
    action(call)
  }

  var calls: [Call] { log.entries }

  /// The reports of a kind, in order.
  func reports(_ kind: StoreOperation.Kind) -> [StoreReport] {
    calls.filter { $0.operation.kind == kind }.compactMap(\.report)
  }

  /// The calls in words: `+commit "Rename"`, `-commit "Rename" 2`, `-read fails`.
  var words: [String] {
    calls.map { call in
      guard let report = call.report else { return "+\(call.operation)" }
      let versions = report.versions.map { versions in
        versions.count == 1 ? " \(versions.lowerBound)" : " \(versions)"
      }
      return "-\(call.operation)" + (versions ?? "") + (report.error == nil ? "" : " fails")
    }
  }

  /// Expects that each operation has begun once and ended once, after that.
  func expectPairs(sourceLocation: SourceLocation = #_sourceLocation) {
    var open: [Int: StoreOperation] = [:]
    var seen: Set<Int> = []
    for call in calls {
      let operation = call.operation
      if let report = call.report {
        #expect(open.removeValue(forKey: operation.id) == operation, sourceLocation: sourceLocation)
        #expect(report.duration >= .zero, sourceLocation: sourceLocation)
        #expect((report.commit != nil) == (operation.kind == .commit))
        if let times = report.commit {
          #expect(report.duration == times.total, sourceLocation: sourceLocation)
        }
      } else {
        #expect(seen.insert(operation.id).inserted, sourceLocation: sourceLocation)
        open[operation.id] = operation
      }
    }
    #expect(open.isEmpty, sourceLocation: sourceLocation)
  }
}

extension TestStorage {
  /// A storage that isn't watched.
  ///
  /// A watcher's looks are reported, too, and it may find what is this store's own.
  var unwatched: StorageKind {
    switch self {
    case .file: .sqlite(path: temporaryPath("hooks"), durability: .normal, watching: .none)
    default: backing
    }
  }
}

/// Runs `body`, and records an issue if it throws.
func expectNoThrow(_ body: () throws -> Void) {
  do { try body() } catch { recordIssue("\(error)") }
}
