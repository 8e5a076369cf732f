internal import EntityStore
internal import ListDiffing

/// The index doesn't fit the storage: it has to be made anew.
struct IndexOutOfStep: Error {}
