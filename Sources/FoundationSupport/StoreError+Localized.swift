public import EntityStore
public import Foundation

extension StoreError: LocalizedError {
  /// The sentence that says what has happened and what to do, for alerts and logs.
  public var errorDescription: String? { description }
}

extension JSONLinesError: LocalizedError {
  /// The sentence that says what has happened and in which line, for alerts and logs.
  public var errorDescription: String? { description }
}

extension StorageFault: LocalizedError {
  /// The sentence that says what has happened and what to do, for alerts and logs.
  public var errorDescription: String? { description }
}

extension StoredValueError: LocalizedError {
  /// The sentence that says which value doesn't fit, for alerts and logs.
  public var errorDescription: String? { description }
}

extension QueryTranslationError: LocalizedError {
  /// The sentence that says which part has no equivalent and what to write instead, for alerts and logs.
  public var errorDescription: String? { description }
}
