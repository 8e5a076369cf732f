extension Delivery {
  /// The main actor as a delivery context.
  ///
  ///     let token = prices.subscribe(on: .mainActor) { label.text = "\($0)" }
  public struct Main: Sendable {
    /// The main actor.
    public static let mainActor = Main()
  }
}
