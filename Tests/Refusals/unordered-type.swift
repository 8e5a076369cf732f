import EntityStore

let query = Query<Car>().filter { $0.fuel > .petrol }
