public import EntityStore
public import Foundation

extension Query {
  /// The query for the objects that also meet a predicate.
  ///
  ///     let recent = try Query<Car>().filter(#Predicate { $0.year > 1990 && $0.note != nil })
  ///
  /// The predicate becomes a condition of the library's own, so it is looked up in indexes, said in
  /// SQL and watched like one that was written for the query. The query answers what
  /// `predicate.evaluate` answers of each object, with these differences, which are the store's rules
  /// (S8): text is compared by its bytes and not by what a reader takes as one character, so `"é"` as
  /// one scalar isn't `"é"` as two and `"\n"` stands in `"\r\n"`; and other values are equal where
  /// their stored forms are.
  ///
  /// An attribute's part has no equivalent, nor have arithmetic on attributes, comparisons by locale
  /// and related objects; a condition in braces says more: `filter { $0.owner.name == "Ann" }`.
  ///
  /// - Throws: ``QueryTranslationError``, which names the part and what to write instead.
  public func filter(_ predicate: Predicate<Root>) throws(QueryTranslationError) -> Query {
    let condition = try PredicateTranslator(predicate.variable).condition(predicate.expression)
    return filter { _ in Condition(condition) }
  }
}
