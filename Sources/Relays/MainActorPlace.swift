/// The main actor, as a place to be called on.
public struct MainActorPlace: Sendable {
  /// The main actor.
  public static let mainActor = MainActorPlace()
}
