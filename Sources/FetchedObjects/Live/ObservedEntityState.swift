/// The existence of an observed object.
///
///     if car.state == .deleted { print("The car has been deleted") }
public enum ObservedEntityState: Hashable, Sendable {
  /// The object exists.
  case live
  /// The object has been deleted. Its last value is kept. If an object with its id is inserted
  /// again, the state becomes `live` again.
  case deleted
  /// The object hasn't existed since it has been observed, so it has no value yet.
  case absent
}
