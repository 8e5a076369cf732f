import EntityStore

let query = Query<Car>().filter { $0.year > "1990" }
