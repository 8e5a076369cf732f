// Stands in for SwiftUI where there is none: the declarations that Sources/SignalboxUI, Examples/Todo and the guides use, as
// Apple documents them. Nothing is drawn; environment, state and animations are kept so that a check can look at them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation
@_exported public import Observation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View { public var body: Never { fatalError("It is never drawn") } }

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("It is never drawn") }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock() -> Text { Text("") }
  public static func buildBlock(_ content: Never) -> Never {}
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Text {
    Text("")
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<Content: View>(first: Content) -> Text { Text("") }
  public static func buildEither<Content: View>(second: Content) -> Text { Text("") }
}

public struct Text: View {
  public let content: String
  public nonisolated init(_ content: some StringProtocol) { self.content = String(content) }
  public nonisolated init(verbatim content: String) { self.content = content }
  public var body: Never { fatalError("A text draws itself") }
}

extension View {
  @MainActor public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    EnvironmentValues.current[keyPath: keyPath] = value
    return self
  }
}

#if ISOLATED_PROPERTIES
@MainActor @preconcurrency public protocol DynamicProperty { mutating func update() }
#else
public protocol DynamicProperty { mutating func update() }
#endif

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// The environment of all views of a check.
  @MainActor public static var current = EnvironmentValues()
}

@MainActor @propertyWrapper public struct Environment<Value>: DynamicProperty {
  private let keyPath: KeyPath<EnvironmentValues, Value>
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
  public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
  public func update() {}
}

@MainActor @propertyWrapper public struct State<Value>: DynamicProperty {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box: Box
  public init(wrappedValue: Value) { box = Box(wrappedValue) }
  public init(initialValue: Value) { box = Box(initialValue) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    Binding {
      box.value
    } set: {
      box.value = $0
    }
  }
  public func update() {}
}

@MainActor @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    (self.get, self.set) = (get, set)
  }
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>)
    -> Binding<Subject>
  {
    let whole = self
    return Binding<Subject> {
      whole.wrappedValue[keyPath: keyPath]
    } set: {
      whole.wrappedValue[keyPath: keyPath] = $0
    }
  }
}

@MainActor @propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  public var wrappedValue: Value
  public init(_ wrappedValue: Value) where Value: Observable & AnyObject {
    self.wrappedValue = wrappedValue
  }
  public init(wrappedValue: Value) where Value: Observable & AnyObject {
    self.wrappedValue = wrappedValue
  }
  public var projectedValue: Bindable<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>)
    -> Binding<Subject>
  where Value: AnyObject {
    let object = wrappedValue
    return Binding {
      object[keyPath: keyPath]
    } set: {
      object[keyPath: keyPath] = $0
    }
  }
}

public struct Animation: Sendable, Equatable {
  public static let `default` = Animation()
}

/// The number of changes that were animated.
@MainActor public private(set) var animatedChanges = 0

@MainActor @discardableResult public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  animatedChanges += animation == nil ? 0 : 1
  return try body()
}

// MARK: - What an app draws

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

extension App { public static func main() { _ = Self().body } }

@MainActor @preconcurrency public protocol Scene {}

@resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// A view that draws itself.
@MainActor public protocol Drawn: View where Body == Never {}
extension Drawn { public var body: Never { fatalError("It is never drawn") } }

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) { _ = content() }
}

public struct List<Content: View>: Drawn {
  public init(@ViewBuilder content: () -> Content) { _ = content() }

  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, Row> {
    _ = ForEach(data, id: id, content: rowContent)
  }
}

public struct Section<Content: View>: Drawn {
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) { _ = content() }
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: Drawn {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable {
    for element in data { _ = content(element) }
  }

  public init<ID: Hashable>(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    for element in data { _ = content(element) }
  }
}

extension ForEach {
  public func onDelete(perform action: ((IndexSet) -> Void)?) -> some View { self }
}

public enum HorizontalAlignment: Sendable { case leading, center, trailing }

public struct VStack<Content: View>: Drawn {
  public init(
    alignment: HorizontalAlignment = .center, @ViewBuilder content: () -> Content
  ) { _ = content() }
}

public struct NavigationStack<Content: View>: Drawn {
  public init(@ViewBuilder root: () -> Content) { _ = root() }
}

public struct NavigationLink: Drawn {
  public init<Destination: View>(
    _ title: some StringProtocol, @ViewBuilder destination: () -> Destination
  ) { _ = destination() }
}

public struct Form<Content: View>: Drawn {
  public init(@ViewBuilder content: () -> Content) { _ = content() }
}

public struct ProgressView: Drawn {
  public init() {}
}

public struct Toggle: Drawn {
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) {}
}

public struct TextField: Drawn {
  public init(_ title: some StringProtocol, text: Binding<String>) {}
  public init<Format: ParseableFormatStyle>(
    _ title: some StringProtocol, value: Binding<Format.FormatInput>, format: Format
  ) where Format.FormatOutput == String {}
}

public struct Button: Drawn {
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

extension View {
  public func searchable(text: Binding<String>) -> some View { self }
  public func navigationTitle(_ title: some StringProtocol) -> some View { self }
  public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
  public func disabled(_ isDisabled: Bool) -> some View { self }
  public func task(_ action: @escaping @MainActor () async -> Void) -> some View { self }
  public func onSubmit(_ action: @escaping () -> Void) -> some View { self }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View { self }
  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View { self }
}

public struct DismissAction: Sendable {
  @MainActor public func callAsFunction() {}
}

extension EnvironmentValues {
  public var dismiss: DismissAction { DismissAction() }
}

extension URL {
  public static var applicationSupportDirectory: URL { URL(filePath: NSTemporaryDirectory()) }
}
