/// The current activity of a connection, for the errors it reports.
enum ConnectionActivity: CustomStringConvertible {
  case opening
  case beginning
  case reading
  case writing(version: Int64)
  case committing(version: Int64)
  case checkpointing
  case syncing
  case following
  case erasing
  case changingKey

  var description: String {
    switch self {
    case .opening: "opening it"
    case .beginning: "waiting to write"
    case .reading: "reading"
    case .writing(let version): "writing version \(version)"
    case .committing(let version): "making version \(version) durable"
    case .checkpointing: "moving its log into it"
    case .syncing: "making commits durable"
    case .following: "looking for commits of others"
    case .erasing: "erasing what was deleted"
    case .changingKey: "changing its key"
    }
  }
}
