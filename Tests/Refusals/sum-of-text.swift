import EntityStore

let sum = try fleet().sum(of: Query<Car>()) { $0.model }
