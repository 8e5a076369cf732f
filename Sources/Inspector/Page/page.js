// What all parts of the page use: its elements, texts, and questions to the app.

export const find = id => document.getElementById(id)
export const root = document.documentElement
const still = matchMedia("(prefers-reduced-motion: reduce)")
/** Whether things may move: not in a background tab, where animations would queue. */
export const moves = () => !still.matches && !document.hidden
export const clone = template => find(template).content.cloneNode(true)

// MARK: Texts

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
export const count = number => number < 1e7 ? number.toLocaleString("en") : compact.format(number)
export const plural = (number, noun) => `${count(number)} ${noun}${number == 1 ? "" : "s"}`
export const percent = share => share > 0 && share < 0.01 ? "<1%" : Math.round(share * 100) + "%"
export const clip = (text, length) => text.length > length ? text.slice(0, length) + "…" : text
export const sum = (items, value) => items.reduce((total, item) => total + value(item), 0)

/** A time in nanoseconds with three digits. */
export function duration(time) {
  const [size, unit] = time >= 1e9 ? [1e9, "s"] : time >= 1e6 ? [1e6, "ms"] : time >= 1e3 ? [1e3, "µs"] : [1, "ns"]
  const value = time / size
  return `${value >= 100 || unit == "ns" ? Math.round(value) : value.toFixed(value >= 10 ? 1 : 2)} ${unit}`
}

/** A time in microseconds since the inspector began. */
export function moment(time) {
  const seconds = time / 1e6, pad = part => String(Math.floor(part)).padStart(2, "0")
  return `${pad(seconds / 3600)}:${pad(seconds / 60 % 60)}:${(seconds % 60).toFixed(3).padStart(6, "0")}`
}

/**
 * A stored value. Bytes are objects, so that they differ from texts, and so are numbers that would be rounded here.
 * A long value is its beginning, with its size in bytes.
 */
export function valueText(value) {
  if (value === undefined) return "–"
  if (typeof value?.integer == "string") return value.integer
  if (typeof value?.bytes == "string") return `${plural(value.size ?? value.bytes.length / 2, "byte")} ${value.bytes}${value.size ? "…" : ""}`
  if (typeof value?.text == "string") return `${JSON.stringify(value.text + "…")} (${plural(value.size, "byte")})`
  return Array.isArray(value) ? `[${value.map(valueText).join(",")}]` : JSON.stringify(value)
}

// MARK: Elements

/**
 * Shows texts, always as text, in the elements that have their names.
 * @param {Element} element
 * @param {Record<string, any>} texts
 */
export function fill(element, texts) {
  for (const cell of element.querySelectorAll("[data-text]")) {
    if (!Object.hasOwn(texts, cell.dataset.text)) continue
    const text = String(texts[cell.dataset.text] ?? "")
    if (cell.textContent != text) cell.textContent = text
  }
}

/** Shows items in the elements of a place, which stay where they are when the items change. */
export function show(place, template, items, texts, more) {
  items.forEach((item, index) => {
    const element = place.children[index] ?? place.appendChild(clone(template).firstElementChild)
    fill(element, texts(item))
    more?.(element, item)
  })
  while (place.children.length > items.length) place.lastElementChild.remove()
}

export const setMeter = (element, share) => { element.querySelector(".meter i").style.width = `${Math.min(100, share * 100)}%` }

export function say(text) { find("said").textContent = text }

// MARK: Questions

/** Asks the app, and throws its error, or that there is no answer. */
export async function ask(path, parameters, method = "GET") {
  const options = { method, cache: "no-store", signal: AbortSignal.timeout(10000) }
  // A space as a plus sign is a custom of forms, which a server that knows only percent signs doesn't undo.
  const answer = await fetch(`${path}?${String(new URLSearchParams(parameters)).replaceAll("+", "%20")}`, options)
    .catch(() => { throw new Error("The app can't be reached.") })
  const body = await answer.json().catch(() => null)
  if (answer.ok && body) return body
  throw new Error(body?.error?.message ?? `The app answered with status ${answer.status}.`)
}
