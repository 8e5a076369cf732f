import Foundation
import Signalbox

/// The content of a store in memory.
enum Sample {
  static func fill(_ reminders: Reminders, now: Date) throws {
    let home = try reminders.addList("Home")
    let work = try reminders.addList("Work")
    let groceries = try reminders.add("Groceries", to: home)
    try reminders.change(groceries, named: "Sample") { $0.notes = "milk, green tea, bread" }
    try reminders.setDue(groceries, now + 60)
    try reminders.addTag("errand", to: groceries)
    let haircut = try reminders.add("Haircut", to: home)
    try reminders.setDue(haircut, now - 86_400)
    try reminders.addTag("errand", to: haircut)
    let taxes = try reminders.add("Tax return", to: work)
    try reminders.change(taxes, named: "Sample") {
      $0.notes = "ask Ann for the receipts"
      $0.priority = .high
    }
    try reminders.setDue(taxes, now + 7 * 86_400)
    try reminders.addTag("money", to: taxes)
    try reminders.setFlagged(try reminders.add("Send the invoice", to: work))
    try reminders.store.clearHistory()
  }
}
