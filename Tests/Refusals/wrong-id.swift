import EntityStore

let car = try fleet().find(Car.self, "7")
