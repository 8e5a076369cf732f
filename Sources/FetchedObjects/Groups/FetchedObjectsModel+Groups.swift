internal import Locking

extension FetchedObjectsModel {
  /// Returns a list with a row for each section of this one, kept up to date with it.
  ///
  ///     let cars = try FetchedObjectsModel(
  ///       Query<Car>().sectioned { $0.maker.name }.aggregating { $0.price }, in: store)
  ///     let makers = cars.groups(
  ///       by: [.descending { try $0.sum { $0.price } }], limit: 10, having: { $0.count > 1 })
  ///     let token = makers.didChange.subscribe { event in … }
  ///
  /// A group is updated when its title, its number of rows, one of its aggregates or one of the
  /// rows that it shows changes. It is inserted with the first row of its section and deleted with
  /// the last. Without keys, groups are in the order of the sections. Groups with equal keys are,
  /// too. All else is as in a ``DerivedModel``, which also has `map`, `filter` and further lists.
  ///
  /// A section exists only with rows. For groups that may be empty, fetch the objects on the other
  /// side of the reference: `Query<Maker>().including { $0.cars.count }`.
  ///
  /// - Parameters:
  ///   - order: the keys of the order. They depend only on the group.
  ///   - limit: the greatest number of groups, or nil for all.
  ///   - rowCount: the number of rows of each section that its group shows.
  ///   - isIncluded: a condition on groups. It depends only on the group.
  /// - Returns: A model that holds this one.
  /// - Precondition: The query of this model has no limit and no offset. The numbers aren't
  ///   negative.
  /// - Complexity: O(*n*) now, where *n* is the number of rows. O(*k* log *n*) for an event of *k*
  ///   changes.
  public func groups(
    by order: [Group<EntityView<E>>.Order] = [], limit: Int? = nil, showing rowCount: Int = 0,
    having isIncluded: @escaping @Sendable (Group<EntityView<E>>) -> Bool = { _ in true }
  ) -> DerivedModel<Group<EntityView<E>>> {
    mustHold(
      rowCount >= 0 && limit ?? 0 >= 0, "Groups can't be fewer than none, nor their rows")
    return DerivedModel(
      self,
      GroupDerivation(order: order, limit: limit, rowCount: rowCount, isIncluded: isIncluded))
  }
}
