public import CLocking

/// Tells the processor that the memory at an address will be read soon.
///
/// Who is about to visit many places in no order asks for some of them at once, so that they come from
/// memory together; otherwise each would be waited for. It is a hint: nothing is read, and nothing happens
/// if there is nothing at the address.
@inlinable @inline(__always) public func unsafePrefetch(_ address: UnsafeRawPointer) {
  sb_prefetch(address)
}
