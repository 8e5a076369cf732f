public import CLocking

/// Asks the processor to load the memory at an address, which will be read soon.
///
/// A caller that is about to read memory in many places prefetches several of them at once. They
/// then come from memory together, and the caller doesn't wait for each of them. This is only a
/// hint: nothing is read, and nothing happens if there is no memory at the address.
@inlinable @inline(__always) public func unsafePrefetch(_ address: UnsafeRawPointer) {
  sb_prefetch(address)
}
