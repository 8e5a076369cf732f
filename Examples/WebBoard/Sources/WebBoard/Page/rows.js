// The elements of the list: a row for each flight, and a group for each section.

/** @typedef {{ id: number, scheduled: string, estimated: string, number: number, carrier: string, airline: string,
 *   origin: string, destination: string, destinationCode: string, aircraft?: string, tail?: string, status: string }} Flight */
/** @typedef {{ title: string, identity: any, rows: { content: Flight }[] }} Section */

const find = id => document.getElementById(id)
const still = matchMedia("(prefers-reduced-motion: reduce)")

/** Whether things may move: not in a background tab, where animations would queue. */
export const moves = () => !still.matches && !document.hidden

/** Whether rows may begin to move: nobody follows hundreds of motions, and they would hold up the news. */
export const isCalm = () => document.getAnimations().filter(motion => !(motion instanceof CSSAnimation)).length < 200

/** The elements in which texts are shown, by name. */
export const cells = root => Object.fromEntries([...root.querySelectorAll("[data-text]")].map(cell => [cell.dataset.text, cell]))

/**
 * Shows texts, always as text, and returns the elements that had another one.
 * @param {Record<string, HTMLElement>} cells
 * @param {Record<string, any>} texts
 */
export function fill(cells, texts) {
  const changed = []
  for (const name in cells) {
    if (!(name in texts)) continue
    const text = String(texts[name] ?? "")
    if (cells[name].textContent == text) continue
    cells[name].textContent = text
    // A text that may be cut is whole in the tooltip.
    if (text.length > 5) cells[name].title = text
    else cells[name].removeAttribute("title")
    changed.push(cells[name])
  }
  return changed
}

/** A text turns over, as on the boards of old. */
export function flip(element) {
  if (moves()) element.animate({ transform: ["perspective(200px) rotateX(85deg)", "none"] }, { duration: 380, easing: "ease-out" })
}

/** What is shown of a flight. */
export const textsOf = flight => ({
  ...flight,
  estimated: flight.estimated == flight.scheduled ? "" : flight.estimated,
  destination: flight.destination || flight.destinationCode,
  code: flight.destinationCode,
  status: flight.status.charAt(0).toUpperCase() + flight.status.slice(1),
})

// With several days, the day is before the time.
const minutes = time => Number(time?.slice(-5, -3)) * 60 + Number(time?.slice(-2))

/**
 * Whether a flight leaves later than planned, also across midnight.
 * @param {Flight} flight
 */
export function isLate({ scheduled, estimated }) {
  const delay = (minutes(estimated) - minutes(scheduled) + 1440) % 1440
  return delay > 0 && delay < 1080
}

export class Row {
  constructor(flight) {
    this.element = this.mover = find("rowTemplate").content.firstElementChild.cloneNode(true)
    this.element.dataset.id = flight.id
    this.cells = cells(this.element)
    this.id = flight.id
  }

  /** Shows the flight, and returns the cells that changed. */
  show(flight, name) {
    const texts = textsOf(flight), { element } = this
    this.flight = flight
    element.dataset.status = flight.status
    element.classList.toggle("late", isLate(flight))
    this.cells.airline.classList.toggle("pending", name.pending)
    const changed = fill(this.cells, { ...texts, airline: name.text })
    if (changed.length) {
      const time = texts.estimated ? `${texts.estimated}, scheduled ${flight.scheduled}` : flight.scheduled
      const words = [`${flight.carrier} ${flight.number} to ${texts.destination}`, texts.status, time, "from " + flight.origin, name.text]
      element.setAttribute("aria-label", words.join(", "))
    }
    return changed
  }
}

export class Group {
  constructor() {
    this.element = find("groupTemplate").content.firstElementChild.cloneNode(true)
    this.mover = this.element.querySelector(".head")
    this.rows = []
  }

  show({ title, identity }) {
    this.title = title
    this.key = JSON.stringify(identity)
    const label = this.element.querySelector(".title")
    label.textContent = label.title = title
    this.element.dataset.section = String(identity)
  }

  count() {
    const tally = this.element.querySelector(".tally"), text = this.rows.length.toLocaleString("en")
    if (tally.textContent != text) tally.textContent = text
    this.element.setAttribute("aria-label", `${this.title}, ${text} flights`)
  }
}

