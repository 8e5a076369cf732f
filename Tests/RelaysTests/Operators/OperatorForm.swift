import Relays
import TestSupport
import Testing

/// An operator in a form that passes on the values 1, 2, 3 as they are, or the first of them.
///
/// So what holds for all operators is tested for each with the same lines.
struct OperatorForm: Sendable, CustomTestStringConvertible {
  /// What a form needs beside its upstream.
  struct Company: Sendable {
    /// What the operator's closures hold.
    let object: LifetimeTracker.Tracked?
    /// How often one of the operator's closures was called.
    let calls = Counter()
    /// Another publisher, which never sends.
    let silent: Relay<Int>
    /// Another publisher, which has a value.
    let state: StateRelay<Int>

    /// New publishers, or those of `others`.
    init(_ tracker: LifetimeTracker? = nil, _ others: Company? = nil) {
      object = tracker?.track()
      silent = others?.silent ?? Relay()
      state = others?.state ?? StateRelay(0)
    }
  }

  let name: String
  let apply: @Sendable (_ upstream: Signal<Int>, _ company: Company) -> Signal<Int>

  var testDescription: String { name }

  private init(_ name: String, _ apply: @escaping @Sendable (Signal<Int>, Company) -> Signal<Int>) {
    self.name = name
    self.apply = apply
  }

  /// Those that call a closure for each value.
  static let withClosure = [
    OperatorForm("map") { upstream, company in
      upstream.map { [object = company.object, calls = company.calls] value in
        note(object, calls, value)
      }
    },
    OperatorForm("compactMap") { upstream, company in
      upstream.compactMap { [object = company.object, calls = company.calls] value in
        note(object, calls, value)
      }
    },
    OperatorForm("filter") { upstream, company in
      upstream.filter { [object = company.object, calls = company.calls] value in
        note(object, calls, true)
      }
    },
    OperatorForm("scan") { upstream, company in
      upstream.scan(0) { [object = company.object, calls = company.calls] _, value in
        note(object, calls, value)
      }
    },
    OperatorForm("prefix(while:)") { upstream, company in
      upstream.prefix { [object = company.object, calls = company.calls] _ in
        note(object, calls, true)
      }
    },
    OperatorForm("handleEvents") { upstream, company in
      upstream.handleEvents(receiveOutput: { [object = company.object, calls = company.calls] _ in
        note(object, calls, ())
      })
    },
    OperatorForm("first(where:)") { upstream, company in
      upstream.first { [object = company.object, calls = company.calls] _ in
        note(object, calls, true)
      }
    },
    OperatorForm("print") { upstream, company in
      upstream.print(to: { [object = company.object, calls = company.calls] _ in
        note(object, calls, ())
      })
    },
  ]

  /// Those of one publisher.
  static let ofOne =
    withClosure + [
      OperatorForm("the signal itself") { upstream, _ in upstream },
      OperatorForm("removeDuplicates(by:)") { upstream, company in
        upstream.removeDuplicates { [object = company.object, calls = company.calls] _, _ in
          note(object, calls, false)
        }
      },
      OperatorForm("removeDuplicates") { upstream, _ in upstream.removeDuplicates() },
      OperatorForm("first") { upstream, _ in upstream.first() },
      OperatorForm("prefix") { upstream, _ in upstream.prefix(3) },
      OperatorForm("dropFirst") { upstream, _ in upstream.dropFirst(0) },
      OperatorForm("share") { upstream, _ in upstream.share() },
      OperatorForm("share(replayingLast:)") { upstream, _ in
        upstream.share(replayingLast: true)
      },
      OperatorForm("Signal.create") { upstream, _ in
        .create { send, end in
          let token = upstream.handleEvents(receiveEnd: end).subscribe { send($0) }
          return { token.cancel() }
        }
      },
    ]

  /// Those in which publishers come together.
  static let ofSeveral = [
    OperatorForm("merge") { upstream, company in upstream.merge(with: company.silent) },
    OperatorForm("merge of one") { upstream, _ in .merge([upstream]) },
    OperatorForm("combineLatest") { upstream, company in
      upstream.combineLatest(company.state).map { $0.0 }
    },
    OperatorForm("combineLatest of three") { upstream, company in
      combineLatest(company.state, upstream, company.state.map { -$0 }).map { $0.1 }
    },
    OperatorForm("combineLatest of all") { upstream, company in
      Signal.combineLatest([upstream, company.state.signal]).map { $0[0] }
    },
    OperatorForm("switchToLatest") { upstream, company in
      company.state.signal.map { _ in upstream }.switchToLatest()
    },
    OperatorForm("withLatest") { upstream, company in
      upstream.withLatest(from: company.state).map { $0.0 }
    },
  ]

  static let all = ofOne + ofSeveral
}

private func note<Result>(
  _ object: LifetimeTracker.Tracked?, _ calls: Counter, _ result: Result
) -> Result {
  withExtendedLifetime(object) { _ = calls.add() }
  return result
}
