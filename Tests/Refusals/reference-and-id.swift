import EntityStore

let cars = Query<Car>().filter { $0.owner == 1 }
