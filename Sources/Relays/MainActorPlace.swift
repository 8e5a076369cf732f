/// The main actor as a delivery context.
///
///     let token = prices.subscribe(on: .mainActor) { label.text = "\($0)" }
public struct MainActorPlace: Sendable {
  /// The main actor.
  public static let mainActor = MainActorPlace()
}
