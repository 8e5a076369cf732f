import EntityStore

struct Dog: Entity {
  let id: Int
}
