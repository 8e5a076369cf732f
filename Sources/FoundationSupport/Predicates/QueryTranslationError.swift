internal import EntityStore

/// A reason why a predicate or a sort descriptor can't become part of a query.
///
///     do {
///       query = try query.filter(predicate)
///     } catch {
///       print(error.advice)
///     }
///
/// The query is unchanged.
public struct QueryTranslationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the entity that the query is about.
  public let entity: String
  /// The part that has no equivalent in a query.
  public let part: String
  /// The advice on what to write instead.
  public let advice: String

  /// A sentence with the part and the advice.
  public var description: String {
    "A query for \(entity) has no equivalent of \(part.harmless(atMost: WordLimit.sentence)); "
      + advice.harmless(atMost: WordLimit.sentence)
  }
}

/// The error of the translation, by a name with which a signature fits on a line.
typealias Untranslatable = QueryTranslationError
