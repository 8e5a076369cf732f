internal import Locking
internal import Relays

// A commit on its way to those whom it concerns: worked out while it isn't durable yet, taken in when it is.
extension Store {
  /// Has those whom it concerns work out what the commit means to them.
  func prepare(
    _ commit: Commit, reading reader: any StorageReader, keeping kept: inout HeldByCommit
  ) {
    let concerned = registry.withLock { registry in
      commit.followsUnknown ? registry.everybody() : registry.concerned(by: commit.changes)
    }
    kept.concerned = concerned
    for one in concerned {
      if let prepared = one.observer.prepare(commit, reading: reader) {
        kept.deliveries.append(SequencedDelivery(sequence: one.sequence, prepared: prepared))
      }
    }
  }

  /// What there is for one place.
  private struct PlaceParts {
    let place: StorePlace
    var parts: [PlacedTurn]
  }

  /// Has the commit taken in, or an error if there is none, and adds a turn in each place that has something to
  /// show or tell.
  ///
  /// - Returns: the queues of these places.
  func place(
    _ commit: Commit?, keeping kept: inout HeldByCommit
  ) -> ContiguousArray<DeliveryQueue> {
    // The store's own place comes first, and there all commits are told, too.
    var own: [PlacedTurn] = []
    var others: ContiguousArray<PlaceParts> = []
    var indexes: [ObjectIdentifier: Int] = [:]
    func add(_ part: PlacedTurn, in place: StorePlace) {
      if place === immediatePlace { return own.append(part) }
      if let last = others.indices.last, others[last].place === place {
        return others[last].parts.append(part)
      }
      if let index = indexes[ObjectIdentifier(place)] { return others[index].parts.append(part) }
      indexes[ObjectIdentifier(place)] = others.count
      others.append(PlaceParts(place: place, parts: [part]))
    }
    for delivery in kept.deliveries {
      switch delivery.prepared.install() {
      case .own(let turn):
        add(PlacedTurn(turn, sequence: delivery.sequence), in: self.place(of: turn.queue))
      case .entries(let listeners):
        for concerned in listeners {
          if let entry = concerned.entry { add(PlacedTurn(entry), in: entry.place) }
        }
        if kept.listeners.isEmpty {
          kept.listeners = listeners
        } else {
          kept.listeners += listeners
        }
      }
    }
    var queues: ContiguousArray<DeliveryQueue> = []
    func append(_ parts: [PlacedTurn], to place: StorePlace) {
      // In order of creation.
      let parts = parts.count > 1 ? parts.sorted { $0.sequence < $1.sequence } : parts
      if let dropped = place.append(parts, commit) { kept.dropped.append(dropped) }
      queues.append(place.queue)
    }
    if !own.isEmpty || commit != nil && immediatePlace.tellsCommits {
      append(own, to: immediatePlace)
    }
    for other in others { append(other.parts, to: other.place) }
    return queues
  }
}
