/// The combined request of several calls of an adapter.
struct ListUpdateRequest<Identifier: Hashable> {
  /// The rows to reload even if they haven't changed.
  enum Reload {
    case rows(Set<Identifier>)
    case everything

    var rows: Set<Identifier>? {
      if case .rows(let rows) = self { rows } else { nil }
    }
  }

  private(set) var isEmpty = true
  private(set) var isAnimated = true
  private(set) var reload = Reload.rows([])
  private(set) var completions: [(Bool) -> Void] = []

  mutating func add(animated: Bool, reloading: Reload, completion: ((Bool) -> Void)?) {
    isEmpty = false
    isAnimated = isAnimated && animated
    if let completion { completions.append(completion) }
    guard var rows = reload.rows, let more = reloading.rows else {
      reload = .everything
      return
    }
    // If two variables held the set, it would be copied. Many calls for one row each would then
    // take quadratic time.
    reload = .everything
    rows.formUnion(more)
    reload = .rows(rows)
  }
}
