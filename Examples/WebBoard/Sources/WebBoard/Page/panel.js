// The side panel: one flight with its details, live, and the form that renames its airline.

import { follow } from "./signalbox.js"
import { cells, fill, flip, isLate, moves, textsOf } from "./rows.js"

/** @typedef {import("./rows.js").Flight} Flight */

/** Names that are shown before the server has them. */
export class Renames {
  /** @type {Map<string, { from: string, to: string, accepted: boolean }>} */ pending = new Map()

  /** @param {() => void} changed hears when names are to be shown again */
  constructor(changed) { this.changed = changed }

  /**
   * The name to show: the new one as long as the stream still has the old one.
   * @param {Flight} flight
   */
  name = ({ carrier, airline }) => {
    const rename = this.pending.get(carrier)
    return rename?.from === airline ? { text: rename.to, pending: true } : { text: airline, pending: false }
  }

  /**
   * Renames an airline, and returns the message if that is refused.
   * @param {string} airline
   * @param {string} from
   * @param {string} to
   * @returns {Promise<string | undefined>}
   */
  async send(airline, from, to) {
    const rename = { from, to, accepted: false }
    this.pending.set(airline, rename)
    this.changed()
    const refusal = await post({ airline, name: to })
    // A later name may have taken its place.
    if (this.pending.get(airline) != rename) return refusal
    rename.accepted = !refusal
    if (refusal) this.drop(airline)
    // The stream brings the name, but perhaps to none of the rows that are here.
    else setTimeout(() => this.pending.get(airline) == rename && this.drop(airline), 10000)
    return refusal
  }

  drop(airline) {
    this.pending.delete(airline)
    this.changed()
  }

  /**
   * Forgets the names that the stream has brought.
   * @param {Iterable<Flight>} flights
   */
  settle(flights) {
    if (!this.pending.size) return
    const waiting = new Set()
    for (const flight of flights) if (this.name(flight).pending) waiting.add(flight.carrier)
    for (const [airline, { accepted }] of this.pending) if (accepted && !waiting.has(airline)) this.drop(airline)
  }
}

async function post(body) {
  try {
    const answer = await fetch("/rename", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15000),
    })
    if (answer.ok) return
    const { kind, message } = await answer.json().then(({ error }) => error ?? {}, () => ({}))
    // The rule's own words are for developers.
    if (kind == "checkFailed" || kind == "tooLong") return "A name has 1 to 80 characters."
    if (answer.status == 503) return `${message ?? "The server is busy."} Try again in a moment.`
    return message || `The server refused this name (${answer.status}).`
  } catch {
    return "The name couldn't be sent. Check the connection and try again."
  }
}

export class Panel {
  /** @type {number | null} */ id = null

  /**
   * @param {HTMLElement} element
   * @param {{ renames: Renames, closed: (focused: boolean) => void }} board
   */
  constructor(element, { renames, closed }) {
    this.element = element
    this.renames = renames
    this.closed = closed
    element.append(document.getElementById("panelTemplate").content.cloneNode(true))
    const part = selector => element.querySelector(selector)
    this.cells = cells(element)
    this.form = part("[data-form]")
    this.input = part("#newName")
    this.button = part("button[type=submit]")
    this.error = part("#renameError")
    this.hint = part("[data-hint]")
    this.usual = this.hint.textContent
    part("[data-close]").addEventListener("click", () => this.close())
    this.form.addEventListener("submit", event => this.submit(event))
    this.input.addEventListener("input", () => this.complain(""))
    element.addEventListener("keydown", event => {
      if (event.key != "Escape") return
      event.preventDefault()
      this.close()
    })
  }

  get isOpen() { return this.id != null }

  /**
   * Shows a flight, first with what its row knows.
   * @param {Flight} flight
   */
  open(flight) {
    const opened = !this.isOpen
    if (this.id !== flight.id) this.load(flight)
    this.element.hidden = false
    document.documentElement.classList.add("split")
    if (opened && moves()) {
      const sheet = getComputedStyle(this.element).position == "fixed"
      this.element.animate({ transform: [sheet ? "translateY(60%)" : "translateX(3rem)", "none"], opacity: [sheet ? 1 : 0, 1] },
        { duration: 320, easing: "cubic-bezier(.2, .9, .2, 1)" })
    }
    this.element.focus({ preventScroll: true })
  }

  load(flight) {
    this.stream?.close()
    this.id = flight.id
    this.flight = null
    this.element.scrollTop = 0
    this.complain("")
    this.tell(this.usual)
    this.input.value = ""
    // Of the last flight.
    this.hasLeft(false)
    this.show({ manufacturer: "", seats: "", built: "", ...flight })
    this.stream = follow("/flight?id=" + encodeURIComponent(flight.id), {
      flight: ([section]) => this.take(section?.rows[0]?.content),
    })
  }

  take(flight) {
    this.hasLeft(!flight)
    if (flight) this.show(flight, true)
  }

  hasLeft(left) {
    this.element.classList.toggle("gone", left)
    this.element.querySelector("[data-left]").hidden = !left
  }

  /** @param {Flight} flight */
  show(flight, known) {
    const first = this.flight == null || !this.known, old = this.flight && this.renames.name(this.flight).text
    this.flight = flight
    this.known = known
    const { text, pending } = this.renames.name(flight), texts = textsOf(flight)
    const changed = fill(this.cells, {
      ...texts,
      airline: text,
      flight: `${flight.carrier} ${flight.number}`,
      route: `${flight.origin} to ${flight.destinationCode}`,
      estimatedLabel: ["departed", "landed", "diverted"].includes(flight.status) ? "Departed" : "Expected",
      estimated: (flight.status != "cancelled" && flight.estimated) || "–",
      ...Object.fromEntries(["aircraft", "tail", "manufacturer", "seats", "built"].map(name => [name, flight[name] ?? "unknown"])),
    })
    this.element.dataset.status = flight.status
    this.element.classList.toggle("late", isLate(flight))
    this.cells.airline.classList.toggle("pending", pending)
    // What somebody types isn't overwritten.
    if (this.input.value == (old ?? "") && !this.input.hasAttribute("aria-invalid")) this.input.value = text
    if (!first) changed.forEach(flip)
  }

  /** Shows the airline's name again. */
  rename() {
    if (this.flight) this.show(this.flight, this.known)
  }

  async submit(event) {
    event.preventDefault()
    const { id, flight: { carrier, airline } } = this, name = this.input.value.trim()
    if (this.button.disabled || name == this.renames.name(this.flight).text) return
    this.complain("")
    this.tell("Sending the name…")
    this.button.disabled = true
    const refusal = await this.renames.send(carrier, airline, name)
    this.button.disabled = false
    // Meanwhile another flight may be shown.
    if (this.id !== id) return
    this.tell(refusal ? this.usual : "Renamed.")
    if (!refusal) return
    this.input.value = name
    this.complain(refusal)
    this.input.focus()
  }

  complain(message) {
    this.error.textContent = message
    if (message) this.input.setAttribute("aria-invalid", "true")
    else this.input.removeAttribute("aria-invalid")
    this.hint.hidden = !!message
  }

  tell(text) {
    this.hint.textContent = text
    this.hint.hidden = false
  }

  close() {
    if (!this.isOpen) return
    const focused = this.element.contains(document.activeElement)
    this.stream.close()
    this.id = null
    this.element.hidden = true
    document.documentElement.classList.remove("split")
    this.closed(focused)
  }
}
