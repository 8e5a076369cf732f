internal import ListDiffing

/// The derivation of `map`, `filter` and `compactMap`: a list that is made of the rows of another.
struct RowDerivation<Input: Diffable & Sendable, Output: Diffable & Sendable>: ListDerivation {
  let kind: DerivationKind
  let transform: @Sendable (Input) -> Output?

  func content(of source: any ListContent<Input>) -> DerivedContent<Output> {
    DerivedContent(source, transform)
  }

  func advance(
    _ content: DerivedContent<Output>, _ event: ShownEvent<Input>
  ) -> (content: DerivedContent<Output>, changes: ListChanges, reordered: Set<Int>) {
    let step = DerivationStep(event, of: content.sections, isFilter: kind == .filter, transform)
    return (
      DerivedContent(
        step.after, count: content.count + step.countDifference, of: event.after.content,
        movable: step.shownMovable),
      kind == .map ? step.changesKeepingAll() : step.changes(), step.reordered
    )
  }
}
