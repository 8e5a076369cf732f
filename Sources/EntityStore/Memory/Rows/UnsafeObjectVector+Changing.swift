internal import Locking

extension UnsafeObjectVector {
  /// Begins several changes.
  ///
  /// If the first one makes a new version, the others take no lock: the version from which it was
  /// made is kept until `endChanges`. A copy that is made meanwhile must end before the next
  /// change.
  mutating func beginChanges() { isChanging = true }

  mutating func endChanges() {
    isChanging = false
    guard let last = former.take() else { return }
    // The thread that ends the former version reads what has been changed. Reference counts ensure
    // the order, but the thread sanitizer doesn't see them.
    last.tree.lock()
    last.tree.unlock()
    // Its end takes the lock.
    withExtendedLifetime(last) {}
  }

  /// Replaces the object with a number by another one, or by nil.
  ///
  /// - Complexity: O(log *n*) with base 32.
  mutating func set(_ object: Object?, at number: Int) {
    let new = object.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    let released = change(number) { place, inherited in
      let old = place.pointee
      if old == new { return nil }
      place.pointee = new
      // The neighbour above has retained it already.
      if new != inherited, let object { _ = Unmanaged.passRetained(object) }
      return old == inherited ? nil : old
    }
    if let released { Unmanaged<Object>.fromOpaque(released).release() }
  }

  /// Returns the object with a number; `copy` makes it this vector's own if others hold it, too.
  ///
  /// `copy` must not run a user's code.
  mutating func unique(_ number: Int, copy: (Object) -> Object) -> Object? {
    if pointer(number) == nil { return nil }
    var result: Object?
    let released = change(number) { place, inherited in
      guard let element = place.pointee else { return nil }
      if element != inherited {
        // The vector's own reference is taken out, so that it doesn't count.
        var object = Unmanaged<Object>.fromOpaque(element).takeRetainedValue()
        let isUnique = isKnownUniquelyReferenced(&object)
        _ = Unmanaged.passRetained(object)
        if isUnique {
          result = object
          return nil
        }
      }
      let own = copy(Unmanaged<Object>.fromOpaque(element).takeUnretainedValue())
      place.pointee = UnsafeRawPointer(Unmanaged.passRetained(own).toOpaque())
      result = own
      return element == inherited ? nil : element
    }
    if let released { Unmanaged<Object>.fromOpaque(released).release() }
    return result
  }

  /// Calls `body` with the place of a number in a leaf that this version alone has.
  ///
  /// `inherited` is the object that the parent version has there. A lock may be held.
  ///
  /// - Returns: The result of `body`.
  @inline(__always)
  private mutating func change(
    _ number: Int, _ body: (_ place: Node, _ inherited: UnsafeRawPointer?) -> UnsafeRawPointer?
  ) -> UnsafeRawPointer? {
    guard isKnownUniquelyReferenced(&version), let tree = version?.tree else {
      return changeShared(number, body)
    }
    if tree.hasOneVersion { return body(ownPlace(number, nil, 0).place, nil) }
    // As long as the parent doesn't end, no other thread visits this version's own nodes.
    guard let parent = former?.entry else { return changeShared(number, body) }
    let (place, inherited) = ownPlace(number, parent.pointee.root, parent.pointee.shift)
    return body(place, inherited)
  }

  /// Does the same as `change` while there are other versions.
  @inline(never)
  private mutating func changeShared(
    _ number: Int, _ body: (_ place: Node, _ inherited: UnsafeRawPointer?) -> UnsafeRawPointer?
  ) -> UnsafeRawPointer? {
    let isUnique = isKnownUniquelyReferenced(&version)
    guard let current = version else {
      let first = Node.make()
      root = first
      version = UnsafeVectorVersion(first, 0)
      return body(ownPlace(number, nil, 0).place, nil)
    }
    var unneeded = RemovedObjects()
    let earlier = former
    current.tree.lock()
    var entry = current.entry
    // A child shares nodes with this version, and they must stay as they are.
    if !isUnique || entry.pointee.firstChild != nil {
      let next = UnsafeVectorVersion(after: current)
      entry = next.entry
      version = next
      if isChanging { former = current }
    }
    let parent = entry.pointee.parent
    let (place, inherited) = ownPlace(number, parent?.pointee.root, parent?.pointee.shift ?? 0)
    let replaced = body(place, inherited)
    if let parent, !parent.pointee.isHeld {
      current.tree.releaseUnneeded(below: parent, number, &unneeded)
    }
    current.tree.unlock()
    // These may end a version or run a user's `deinit`, which take the lock.
    withExtendedLifetime((current, earlier)) {}
    unneeded.release()
    return replaced
  }

  /// Returns the place of a number in an own leaf, and the parent version's object there.
  @inline(__always)
  private mutating func ownPlace(
    _ number: Int, _ parentRoot: Node?, _ parentShift: Int
  ) -> (place: Node, inherited: UnsafeRawPointer?) {
    guard var node = root else { preconditionFailure("A vector with a version has no root") }
    if node == parentRoot || number >> shift >= Node.width {
      while number >> shift >= Node.width {
        let parent = Node.make()
        parent[0] = UnsafeRawPointer(node)
        node = parent
        shift += Node.bits
      }
      if node == parentRoot { node = node.copy() }
      root = node
      version?.entry.pointee.root = node
      version?.entry.pointee.shift = shift
    }
    var inherited = parentRoot
    var shift = shift
    while shift > 0 {
      let index = (number >> shift) & Node.mask
      // A lower tree as a whole is the first child of a higher one.
      if shift <= parentShift {
        inherited = inherited?.child(index)
      } else if index > 0 {
        inherited = nil
      }
      let place = node + index
      if let element = place.pointee, element != inherited.map(UnsafeRawPointer.init) {
        node = Node(child: element)
      } else {
        node = inherited?.copy() ?? Node.make()
        place.pointee = UnsafeRawPointer(node)
      }
      shift -= Node.bits
    }
    let index = number & Node.mask
    return (node + index, inherited?[index])
  }
}
