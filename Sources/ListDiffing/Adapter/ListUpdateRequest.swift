/// What several calls of an adapter ask for together.
struct ListUpdateRequest<Identifier: Hashable> {
  /// What is to be shown anew whether or not it has changed.
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
    // Held twice the set would be copied, and many calls for one row each would cost the square of their number.
    reload = .everything
    rows.formUnion(more)
    reload = .rows(rows)
  }
}
