// Stands in for Foundation's UndoManager where there is none: the declarations that
// Sources/FoundationSupport/Undo uses, as Apple documents them. SDKs differ in whether it is bound to the main actor.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

#if MAIN_ACTOR
public typealias UndoHandler<TargetType> = @MainActor @Sendable (TargetType) -> Void
#else
public typealias UndoHandler<TargetType> = (TargetType) -> Void
#endif

#if MAIN_ACTOR
@MainActor
#endif
open class UndoManager: NSObject {
  open var groupsByEvent = true
  public private(set) var groupingLevel = 0
  open func beginUndoGrouping() { groupingLevel += 1 }
  open func endUndoGrouping() { groupingLevel -= 1 }
  open func setActionName(_ actionName: String) {}
  open func removeAllActions(withTarget target: Any) {}

  public func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType, handler: @escaping UndoHandler<TargetType>
  ) {}
}
