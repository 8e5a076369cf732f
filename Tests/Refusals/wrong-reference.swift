import EntityStore

let car = Car(id: 1, model: "", year: 0, fuel: .petrol, owner: Ref<Car>(1))
