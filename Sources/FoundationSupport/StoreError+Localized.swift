public import EntityStore
public import Foundation

extension StoreError: LocalizedError {
  /// A sentence that states what has happened and what to do, for alerts and logs.
  public var errorDescription: String? { description }
}

extension JSONLinesError: LocalizedError {
  /// A sentence that states what has happened and in which line, for alerts and logs.
  public var errorDescription: String? { description }
}

extension StorageFault: LocalizedError {
  /// A sentence that states what has happened and what to do, for alerts and logs.
  public var errorDescription: String? { description }
}

extension StoredValue.Mismatch: LocalizedError {
  /// A sentence that states which value doesn't fit, for alerts and logs.
  public var errorDescription: String? { description }
}

extension QueryTranslationError: LocalizedError {
  /// A sentence that states which part has no equivalent and what to write instead, for alerts and
  /// logs.
  public var errorDescription: String? { description }
}
