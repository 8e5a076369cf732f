/// A list or observer that calls its subscribers after the model that it comes from has called its
/// own.
///
/// It is called once for each event and error of a model, in the model's delivery context.
protocol ListNotifier: AnyObject, Sendable {
  /// Delivers the changes that come from an event of a model.
  func notify(_ origin: EventOrigin)

  func deliver(_ error: any Error)
}
