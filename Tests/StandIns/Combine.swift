// Stands in for Combine where there is none: the declarations that Sources/Relays/Combine uses, as Apple documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error
  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Cancellable { func cancel() }

public protocol Subscription: Cancellable { func request(_ demand: Subscribers.Demand) }

public enum Subscribers {
  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }

  public struct Demand: Comparable, Sendable {
    private let count: Int
    public static let unlimited = Demand(count: .max)
    public static let none = Demand(count: 0)
    public static func max(_ count: Int) -> Demand { Demand(count: count) }
    public static func += (a: inout Demand, b: Demand) {
      a = a == unlimited || b == unlimited ? unlimited : Demand(count: a.count + b.count)
    }
    public static func -= (a: inout Demand, b: Int) {
      precondition(a > none, "More was taken than asked for")
      if a != unlimited { a = Demand(count: a.count - b) }
    }
    public static func < (a: Demand, b: Demand) -> Bool { a.count < b.count }
  }
}
