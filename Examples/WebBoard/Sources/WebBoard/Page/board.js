// The board: what is shown, the streams it comes from, and the parts of the page around the list.

import { follow } from "./signalbox.js"
import { flip } from "./rows.js"
import { List } from "./list.js"
import { Panel, Renames } from "./panel.js"

/** @typedef {import("./rows.js").Flight} Flight */

/** How many rows a stream brings: the whole list if it is no longer, otherwise a window. */
const length = 400
/** So many rows before the end of a window, the next one is asked for. */
const margin = 60

const find = id => document.getElementById(id)
const root = document.documentElement
const kinds = ["status", "origin", "carrier"]
const address = new URLSearchParams(location.search)

// What the user has chosen. It is in the address, so a reload shows the same.
const shown = { by: kinds.includes(address.get("by")) ? address.get("by") : "status", search: searchable(address.get("search") ?? "") }
const alwaysWindow = address.has("window")

const renames = new Renames(() => { list.rename(); panel.rename() })
const list = new List({ name: renames.name, open: flight => panel.open(flight), changed: changed })
const panel = new Panel(find("panel"), { renames, closed: focused => focused && list.focus() })

/** What the server looks for: the first 8 words, of 100 bytes at most. */
function searchable(text) {
  const words = text.split(/[\s\u0085]+/).filter(Boolean).slice(0, 8).join(" ")
  return words.slice(0, new TextEncoder().encodeInto(words, new Uint8Array(100)).read).trim()
}

// MARK: Streams

let current, next, lastNews, quiet

/** Opens a stream of the chosen list. What is shown stays until the new list is here. */
function open({ from = 0, scrolled = false } = {}) {
  next?.stream.close()
  const source = (next = { from, scrolled, total: null, sections: null })
  const query = new URLSearchParams({ by: shown.by, search: shown.search, from, rows: length })
  source.stream = follow("/board?" + query, {
    flights: (sections, page) => { source.sections = sections; take(source, page) },
    total: ([{ rows: [{ content }] }]) => { source.total = content.rows; take(source) },
    clock: ([{ rows: [{ content }] }]) => { lastNews = new Date(); showClock(content) },
    stages: ([{ rows }]) => showStages(rows.map(row => row.content)),
  }, { state: state => source == (next ?? current) && showState(state) })
}

/** News of the list. The first page of a new list takes the place of the old list. */
function take(source, page) {
  const { sections, scrolled } = source
  if (!sections) return
  const count = sections.reduce((count, section) => count + section.rows.length, 0)
  // A list that doesn't fill its window is whole.
  const whole = source.from == 0 && count < length
  // A list that is shown can grow to its window before its total comes.
  const total = whole ? count : source.total ?? (source == current ? count : null)
  if (total == null) return
  const virtual = alwaysWindow || total > length || source.from > 0
  const how = { from: source.from, total, virtual, animated: !scrolled }
  if (source == next) {
    current?.stream.close()
    current = source
    next = null
    list.show(sections, { ...how, scrolled, top: !scrolled })
    if (!scrolled && shown.search) say(plural(total, "flight") + " found")
  } else if (source == current) {
    if (virtual != list.virtual) list.show(sections, how)
    else if (page) list.apply(sections, page)
    list.setTotal(total)
  } else return
  renames.settle(flights(sections))
  showCount(total)
  list.grid.setAttribute("aria-busy", "false")
  look()
}

function* flights(sections) {
  for (const section of sections) for (const row of section.rows) yield row.content
}

/** Asks for another window if the visible rows are near an end of this one. */
function look() {
  // A list that has been chosen begins at its start.
  if (!current || !list.virtual || (next && !next.scrolled)) return
  const [first, end] = list.visible, window = next ?? current
  const last = Math.max(0, list.total - length)
  const near = (window.from > 0 && first < window.from + margin) || (window.from < last && end > window.from + length - margin) || window.from > last
  if (!near) return
  const from = Math.max(0, Math.min(Math.round((first + end - length) / 2), last))
  if (from != window.from) open({ from, scrolled: true })
}

// Whoever drags the scroll bar doesn't need all the windows on the way.
let waiting
list.scroller.addEventListener("scroll", () => { waiting ??= setTimeout(() => { waiting = null; look() }, 90) }, { passive: true })

function showState(state) {
  root.dataset.state = state
  if (state == "live") lastNews = new Date()
  clearTimeout(quiet)
  const show = () => {
    const text = { live: "Live", connecting: "Connecting", lost: "Lost" }[state]
    if (find("linkText").textContent != text) find("linkText").textContent = text
    find("link").dataset.state = state
  }
  // A new stream is there at once, usually, and nobody needs to hear of it.
  if (state == "connecting") quiet = setTimeout(show, 500)
  else show()
  if (state == "connecting") return
  find("notice").hidden = state == "live"
  if (state == "lost") find("notice").textContent = "Connection lost; trying again. " +
    (lastNews ? `Last news at ${lastNews.toLocaleTimeString("en-GB")}.` : "There has been no news yet.")
}

// MARK: Around the list

const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })

function showClock({ now, day: date }) {
  // With several days, the day is before the time.
  const digits = now.slice(-5).replace(":", "")
  document.querySelectorAll(".flap").forEach((flap, index) => {
    if (flap.textContent == digits[index]) return
    flap.textContent = digits[index] ?? ""
    flip(flap)
  })
  find("clock").setAttribute("aria-label", "The board's time: " + now)
  const time = new Date(date + "T00:00Z")
  find("day").textContent = isNaN(time) ? date : day.format(time)
}

function showStages(stages) {
  const place = find("stages")
  for (const [index, { id, title, flights }] of stages.entries()) {
    const item = place.children[index] ?? place.appendChild(stageItem())
    const [dot, count, label] = item.children, text = flights.toLocaleString("en")
    item.dataset.status = id
    dot.className = "dot"
    label.textContent = title
    if (count.textContent && count.textContent != text) flip(count)
    count.textContent = text
  }
  while (place.children.length > stages.length) place.lastChild.remove()
}

function stageItem() {
  const item = document.createElement("li")
  item.append(...["i", "b", "span"].map(name => document.createElement(name)))
  return item
}

const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count == 1 ? "" : "s"}`

function showCount(total) {
  find("count").textContent = plural(total, "flight")
  find("empty").hidden = total > 0
  list.grid.classList.toggle("void", total == 0)
  find("emptyText").textContent = shown.search ? `No flight matches “${shown.search}”.` : "There is no flight on the board now."
  find("clear").hidden = !shown.search
}

// MARK: What a screen reader hears, now and then

const news = new Map()
let speaking

/** @param {Flight} flight */
function changed(flight) {
  news.set(flight.id, flight.status)
  speaking ??= setTimeout(speak, 5000)
}

function speak() {
  speaking = null
  const counts = {}
  for (const status of news.values()) counts[status] = (counts[status] ?? 0) + 1
  news.clear()
  say(Object.entries(counts).map(([status, count], index) => (index ? count : plural(count, "flight")) + " " + status).join(", "))
}

function say(text) { find("said").textContent = text }

// MARK: The choice

function choose(choice) {
  Object.assign(shown, choice)
  const query = new URLSearchParams(location.search)
  for (const [name, value] of [["by", shown.by == "status" ? "" : shown.by], ["search", shown.search]]) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  history.replaceState(null, "", location.pathname + (query.size ? "?" + query : "") + location.hash)
  for (const input of find("by").querySelectorAll("input")) input.checked = input.value == shown.by
  open()
}

const search = find("search")
let typing
search.value = shown.search
search.addEventListener("input", () => {
  clearTimeout(typing)
  typing = setTimeout(() => { if (searchable(search.value) != shown.search) choose({ search: searchable(search.value) }) }, 200)
})
find("by").addEventListener("change", event => choose({ by: event.target.value }))
find("clear").addEventListener("click", () => { clearSearch(); search.focus() })

function clearSearch() {
  clearTimeout(typing)
  search.value = ""
  if (shown.search) choose({ search: "" })
}

// MARK: Keys

const help = find("help")
find("helpButton").addEventListener("click", () => help.showModal())
find("helpClose").addEventListener("click", () => help.close())
help.addEventListener("click", event => { if (event.target == help) help.close() })

const keys = {
  "/": () => { search.focus(); search.select() },
  "?": () => help.showModal(),
  s: () => choose({ by: kinds[(kinds.indexOf(shown.by) + 1) % kinds.length] }),
  Escape: () => (panel.isOpen ? panel.close() : clearSearch()),
}

addEventListener("keydown", event => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return
  const { target } = event
  if (target == search && event.key == "Escape") {
    if (search.value) clearSearch()
    else list.focus()
  } else if (target == search && ["Enter", "ArrowDown"].includes(event.key)) list.focus()
  else if (target.matches("input:not([type=radio])")) return
  else if (keys[event.key]) keys[event.key]()
  // The list's keys work everywhere, except where they already mean something.
  else if (!target.matches("input, button, a, .panel, .panel *")) return list.pressed(event)
  else return
  event.preventDefault()
})

// MARK: Colours

const themes = ["system", "light", "dark"]

function showTheme(theme) {
  if (theme == "system") delete root.dataset.theme
  else root.dataset.theme = theme
  const label = "Colours: " + (theme == "system" ? "as the system" : theme)
  find("theme").setAttribute("aria-label", label)
  find("theme").title = label
}

find("theme").addEventListener("click", () => {
  const theme = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length]
  showTheme(theme)
  try { localStorage.setItem("theme", theme) } catch { /* Then it isn't remembered. */ }
})

try { showTheme(themes.find(theme => theme == localStorage.getItem("theme")) ?? "system") } catch { /* The system's colours. */ }

// MARK: Start

/** The list as it is on the page, for tests. Rows that are fading out are elsewhere. */
window.boardSnapshot = () => [...find("rows").children].map(group => [
  group.querySelector(".title").textContent,
  [...group.querySelectorAll(".row")].map(row => Number(row.dataset.id)),
])

choose({})
