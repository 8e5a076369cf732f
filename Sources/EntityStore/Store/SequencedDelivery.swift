/// What an observer does about a commit, and the observer's place in the order of creation.
struct SequencedDelivery: Sendable {
  let sequence: Int
  let prepared: PreparedDelivery
}
