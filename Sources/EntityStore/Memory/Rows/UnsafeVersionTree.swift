internal import Locking

/// The versions of a vector, each below the one that it was copied from.
///
/// A version shares with its parent all nodes and objects that it hasn't changed. An object that
/// stands at the same number in several neighbours of this tree is retained once for all of them,
/// and a node belongs to all versions that have it. So a copied node costs a copy of its addresses
/// and no reference counts.
///
/// When a version ends that has one child, the child takes its place. What only the version had is
/// found by comparing it with its child and its parent, from the root down: equal nodes aren't
/// visited. So this takes as long as the child's changes took. A version with several children
/// stays as long as it has them, since each shares something else with it. But it then releases
/// the objects that no version has that is held.
struct UnsafeVersionTree: @unchecked Sendable {
  // @unchecked: the state is reached under its lock, except for the count, which is atomic.
  typealias Entry = UnsafeMutablePointer<Version>

  /// The place of a version in the tree.
  struct Version {
    var root: UnsafeVectorNode
    var shift: Int
    var parent: Entry?
    var firstChild: Entry?
    /// The neighbours among the children of the same parent.
    var next: Entry?
    var previous: Entry?
    /// True until the version's object ends.
    var isHeld = true
  }

  private struct State {
    /// The number of versions, which is also read outside the lock.
    var count: Int32 = 1
    let lock = UnsafeLock.allocate()
    /// The memory of an entry that was removed, for the next one.
    var spare: Entry?
  }

  private let state: UnsafeMutablePointer<State>

  /// Returns a tree of one version.
  static func make(_ root: UnsafeVectorNode, _ shift: Int) -> (UnsafeVersionTree, Entry) {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    let entry = Entry.allocate(capacity: 1)
    entry.initialize(to: Version(root: root, shift: shift))
    return (UnsafeVersionTree(state: state), entry)
  }

  /// True if there is one version, whose only holder may change it without the lock.
  @inline(__always) var hasOneVersion: Bool { count.load() == 1 }

  @inline(__always)
  private var count: UnsafeAtomicWord {
    // The count is the first field, so its address is that of the whole.
    UnsafeAtomicWord(UnsafeMutableRawPointer(state).assumingMemoryBound(to: Int32.self))
  }

  @inline(__always) func lock() { state.pointee.lock.lock() }
  @inline(__always) func unlock() { state.pointee.lock.unlock() }

  /// Adds a version below `parent`; the lock is held.
  func add(after parent: Entry) -> Entry {
    let entry = state.pointee.spare ?? .allocate(capacity: 1)
    state.pointee.spare = nil
    count.store(count.loadRelaxed() + 1)
    let sibling = parent.pointee.firstChild
    entry.initialize(
      to: Version(
        root: parent.pointee.root, shift: parent.pointee.shift, parent: parent, next: sibling))
    sibling?.pointee.previous = entry
    parent.pointee.firstChild = entry
    return entry
  }

  /// Removes a version that nobody holds any more, and what only it had.
  func end(_ entry: Entry) {
    var removed = RemovedObjects()
    lock()
    // A reader in memory may wait for a change that waits for the lock.
    while entry.pointee.takeOver(&removed) {
      unlock()
      removed.release()
      removed = RemovedObjects()
      lock()
    }
    entry.pointee.isHeld = false
    if hasOneVersion {
      // Nobody else can reach the tree.
      unlock()
      entry.pointee.root.releaseAll(entry.pointee.shift)
      entry.deallocate()
      state.pointee.spare?.deallocate()
      state.pointee.lock.deallocate()
      state.deallocate()
      return
    }
    releaseUnneeded(by: entry, &removed)
    var unneeded: Entry? = entry
    while let entry = unneeded { unneeded = remove(entry, &removed) }
    unlock()
    // A `deinit` may use the vector.
    removed.release()
  }

  /// Removes a version unless it is held or has several children.
  ///
  /// - Returns: The parent, if it has lost a child.
  private func remove(_ entry: Entry, _ removed: inout RemovedObjects) -> Entry? {
    let child = entry.pointee.firstChild
    if entry.pointee.isHeld || child?.pointee.next != nil { return nil }
    let parent = entry.pointee.parent
    if child == nil && parent == nil { return nil }
    entry.pointee.removeNodes(childOf: parent?.pointee, parentOf: child?.pointee, &removed)
    let (previous, next) = (entry.pointee.previous, entry.pointee.next)
    if let child {
      child.pointee.parent = parent
      child.pointee.previous = previous
      child.pointee.next = next
    }
    // A child stands where the entry stood.
    if let previous {
      previous.pointee.next = child ?? next
    } else {
      parent?.pointee.firstChild = child ?? next
    }
    next?.pointee.previous = child ?? previous
    count.store(count.loadRelaxed() - 1)
    if state.pointee.spare == nil { state.pointee.spare = entry } else { entry.deallocate() }
    return child == nil ? parent : nil
  }
}

extension UnsafeVersionTree.Version {
  /// The number of pieces of 1,024 objects that are compared before the lock is released.
  private static let portion = 4

  /// Takes over the nodes of the child, or of the parent if there is no child, in a large tree.
  ///
  /// Nobody reads the version any more. It frees what only it had, until it is as that neighbour is
  /// or some thousand objects have been compared.
  ///
  /// - Returns: True if there is more to take over.
  fileprivate func takeOver(_ removed: inout RemovedObjects) -> Bool {
    let (child, parent) = (firstChild?.pointee, parent?.pointee)
    guard shift >= 2 * UnsafeVectorNode.bits, let target = child ?? parent, target.shift == shift,
      child?.next == nil, child?.isHeld ?? true, parent?.isHeld ?? true,
      parent?.shift ?? shift == shift, root != child?.root, root != parent?.root
    else { return false }
    var rest = Self.portion
    return !Self.takeOver(root, shift, target.root, child?.root, parent?.root, &rest, &removed)
  }

  /// - Returns: False if `rest`, the number of pieces that may be compared, doesn't suffice.
  private static func takeOver(
    _ node: UnsafeVectorNode, _ shift: Int, _ target: UnsafeVectorNode?,
    _ kept: UnsafeVectorNode?, _ parent: UnsafeVectorNode?, _ rest: inout Int,
    _ removed: inout RemovedObjects
  ) -> Bool {
    let lower = shift - UnsafeVectorNode.bits
    for index in 0..<UnsafeVectorNode.width where node[index] != target?[index] {
      if let element = node[index], element != parent?[index] {
        let own = UnsafeVectorNode(child: element)
        let (keptNode, parentNode) = (kept?.child(index), parent?.child(index))
        if lower == UnsafeVectorNode.bits {
          if rest == 0 { return false }
          rest -= 1
          remove(own, lower, keptNode, parentNode, lower, &removed)
        } else {
          let targetNode = target?.child(index)
          if !takeOver(own, lower, targetNode, keptNode, parentNode, &rest, &removed) {
            return false
          }
          own.deallocate()
        }
      }
      node[index] = target?[index]
    }
    return true
  }

  /// Frees the nodes that neither the parent nor the only child has, and lists such objects.
  fileprivate func removeNodes(
    childOf parent: Self?, parentOf child: Self?, _ removed: inout RemovedObjects
  ) {
    var kept = child?.root
    if let child {
      // A version is at least as high as its parent, whose root is then its first descendant.
      for _ in stride(from: shift, to: child.shift, by: UnsafeVectorNode.bits) {
        kept = kept?.child(0)
      }
    }
    if root == kept || root == parent?.root { return }
    Self.remove(root, shift, kept, parent?.root, parent?.shift ?? 0, &removed)
  }

  /// Frees a node that neither `parent` nor `kept` is, and those below it that neither has.
  ///
  /// `kept` is the child's node for the same numbers. So is `parent`, if it is as high.
  private static func remove(
    _ node: UnsafeVectorNode, _ shift: Int, _ kept: UnsafeVectorNode?, _ parent: UnsafeVectorNode?,
    _ parentShift: Int, _ removed: inout RemovedObjects
  ) {
    var next = 0
    while next < UnsafeVectorNode.width {
      // Most have the same element, so four are compared at once.
      if let kept, next & 3 == 0, node.hasFour(of: kept, at: next) {
        next += 4
        continue
      }
      let index = next
      next += 1
      let (element, keptElement) = (node[index], kept?[index])
      if element == keptElement { continue }
      var parentElement = parent?[index]
      if let parent, parentShift < shift {
        // A lower tree as a whole is the first child of a higher one.
        parentElement = index == 0 ? UnsafeRawPointer(parent) : nil
      }
      if shift == 0 {
        if let element, element != parentElement { removed.append(element) }
        // From now on, the parent and the child are neighbours with the same object.
        if let keptElement, keptElement == parentElement { removed.append(keptElement) }
      } else if let element, element != parentElement {
        let lower = shift - UnsafeVectorNode.bits
        remove(
          UnsafeVectorNode(child: element), lower, keptElement.map(UnsafeVectorNode.init(child:)),
          parentElement.map(UnsafeVectorNode.init(child:)), min(parentShift, lower), &removed)
      }
    }
    node.deallocate()
  }
}
