public import Foundation
public import ListDiffing

/// A UUID is its own identifier, so a list of UUIDs can be compared as it is.
extension UUID: Diffable {
  /// The UUID itself.
  public var diffIdentifier: UUID { self }
}

/// Two UUIDs are equal if their 16 bytes are, so comparing two lists hashes these.
extension UUID: BitwiseIdentifier {}
