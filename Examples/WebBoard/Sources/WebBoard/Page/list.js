// The list of flights. A row belongs to a flight: it is moved, not made again, and glides to its new place.
// All heights are fixed, so places are computed, and an event costs what it changes and what is visible.

import { Row, Group, flip, isCalm, moves } from "./rows.js"

/** @typedef {import("./rows.js").Flight} Flight */
/** @typedef {import("./rows.js").Section} Section */

const find = id => document.getElementById(id)
const clamp = (value, low, high) => Math.max(low, Math.min(value, high))
// Browsers have a limit for the height of an element, some at 17.8 million pixels.
const tallest = 15e6

/** Puts an element somewhere; where the browser can, focus and animations survive. */
function put(parent, element, next) {
  if (parent.moveBefore && element.isConnected && parent.isConnected) parent.moveBefore(element, next)
  else parent.insertBefore(element, next)
}

export class List {
  /** @type {Group[]} */ groups = []
  /** @type {Map<number, Row>} */ rows = new Map()
  from = 0
  total = 0
  virtual = false
  selected = null // the flight, whether or not its row is here
  index = null // its place when it was seen last
  wanted = null // a place whose row is yet to come
  fresh = new Set()
  flashes = new Map()
  gone = []

  /**
   * @param {{ name: (flight: Flight) => { text: string, pending: boolean }, open: (flight: Flight) => void,
   *   changed: (flight: Flight, before: string) => void }} board
   */
  constructor(board) {
    this.board = board
    this.scroller = find("scroller")
    this.grid = find("grid")
    this.space = find("space")
    this.body = find("rows")
    this.ghosts = find("ghosts")
    this.measure()
    new ResizeObserver(() => this.resized()).observe(this.scroller)
    this.scroller.addEventListener("scroll", () => this.arrange(), { passive: true })
    this.grid.addEventListener("click", event => this.clicked(event))
    this.grid.addEventListener("keydown", event => this.pressed(event))
    this.grid.addEventListener("focusin", event => this.choose(this.rowAt(event.target)))
  }

  // MARK: Places

  measure() {
    const style = getComputedStyle(this.grid)
    const size = name => parseFloat(style.getPropertyValue(name)) || 0
    this.size = { row: size("--row"), head: size("--head"), gap: size("--gap"), columns: size("--columns") }
    this.room = this.scroller.clientHeight - this.size.columns
  }

  resized() {
    const first = this.position / this.size.row, { row } = this.size
    this.measure()
    this.arrange()
    // Another height of rows: the same flights stay in view.
    if (row != this.size.row) this.position = first * this.size.row
  }

  get full() { return this.total * this.size.row }
  get scale() { return this.virtual && this.full > tallest ? (this.full - this.room) / (tallest - this.room) : 1 }

  /** What is at the upper edge, in pixels of the whole list. */
  get position() { return this.scroller.scrollTop * this.scale }
  set position(position) {
    this.scroller.scrollTop = position / this.scale
    this.arrange()
  }

  /** The first visible index and the one after the last. */
  get visible() {
    const first = Math.floor(this.position / this.size.row)
    return [first, first + Math.ceil(this.room / this.size.row) + 1]
  }

  /** In a window, the rows are at their index in the whole list. */
  arrange() {
    const shift = this.virtual ? this.position - this.scroller.scrollTop : 0
    if (this.shift === shift && this.arranged === this.from + "/" + this.full + this.virtual) return
    this.shift = shift
    this.arranged = this.from + "/" + this.full + this.virtual
    this.space.style.height = this.virtual ? Math.min(this.full, tallest) + "px" : ""
    this.body.style.top = this.virtual ? this.from * this.size.row - shift + "px" : ""
  }

  tops() {
    let next = this.virtual ? this.from * this.size.row : 0
    return this.groups.map(group => {
      const top = next
      next += this.size.head + group.rows.length * this.size.row + this.size.gap
      return top
    })
  }

  /** Where the rows and headers are, at least those within a screen of the visible ones. */
  places(all) {
    const places = new Map(), { row, head } = this.size, { position, room } = this, tops = this.tops()
    this.groups.forEach((group, at) => {
      const start = tops[at] + head, count = group.rows.length
      const first = all ? 0 : clamp(Math.floor((position - room - start) / row), 0, count)
      const last = all ? count : clamp(Math.ceil((position + room * 2 - start) / row), 0, count)
      for (let index = first; index < last; index++) places.set(group.rows[index], start + index * row)
      // A header sticks to the upper edge.
      if (head) places.set(group, Math.max(tops[at], Math.min(position, start + (count - 1) * row)))
    })
    return places
  }

  // MARK: News

  /**
   * Shows another list, or the same one anew.
   * @param {Section[]} sections
   * @param {{ from: number, total: number, virtual: boolean, animated: boolean, top?: boolean, scrolled?: boolean }} how
   */
  show(sections, { from, total, virtual, animated, top, scrolled }) {
    this.act({ all: true, animated, top }, () => {
      this.total = total
      this.from = from
      if (virtual != this.virtual) {
        this.virtual = virtual
        this.grid.classList.toggle("virtual", virtual)
        this.measure()
      }
      this.reconcile(sections)
      const row = this.rows.get(this.selected)
      if (!row && !scrolled) this.index = null
      if (!row && !virtual) this.selected = null
    })
    if (this.wanted != null && this.at(this.wanted)) this.choose(this.at(this.wanted), true)
  }

  /** Applies a page to the rows that are here. */
  apply(sections, page) {
    if (page.kind != "changes") return this.act({ all: true, animated: true }, () => this.reconcile(sections))
    this.act({ changes: page.changes, animated: true }, () => this.change(page))
  }

  setTotal(total) {
    if (total == this.total) return
    this.total = total
    this.arrange()
    this.number()
  }

  /** Shows the names again. */
  rename() {
    for (const row of this.rows.values()) row.show(row.flight, this.board.name(row.flight))
  }

  act({ all, changes, animated, top }, work) {
    const position = this.position, focused = this.grid.contains(document.activeElement)
    const old = this.places(all)
    const tops = changes && this.tops()
    for (const { old: path } of changes?.moves ?? []) {
      old.set(this.groups[path.section].rows[path.row], tops[path.section] + this.size.head + path.row * this.size.row)
    }
    this.fresh.clear()
    this.flashes.clear()
    this.gone = []
    const kept = this.rows.get(this.selected), index = kept && this.indexOf(kept)
    work()
    // The flight that was selected has left: the one in its place is next.
    if (kept && changes && !this.rows.has(this.selected)) this.select(this.at(Math.min(index, this.from + this.rows.size - 1)))
    this.tidy()
    this.settle(old, position, { animated: animated && moves() && isCalm(), top, all })
    if (focused && !this.grid.contains(document.activeElement)) this.focus()
  }

  row(flight) {
    let row = this.rows.get(flight.id)
    if (!row) {
      this.rows.set(flight.id, (row = new Row(flight)))
      this.fresh.add(row)
      if (flight.id === this.selected) row.element.setAttribute("aria-selected", "true")
    }
    if (row.flight === flight) return row
    const before = row.flight?.status, changed = row.show(flight, this.board.name(flight))
    if (before && changed.length) this.flashes.set(row, changed)
    if (before && before != flight.status) this.board.changed(flight, before)
    return row
  }

  leave(row) {
    this.rows.delete(row.id)
    row.element.remove()
    this.gone.push(row)
  }

  /** The five steps that Feeds.md describes, on rows and their elements. */
  change({ changes, sections: heads, rows }) {
    const order = (a, b) => a.section - b.section || a.row - b.row
    const content = new Map(rows.map(row => [row.path.section + "." + row.path.row, row.content]))
    const at = path => this.row(content.get(path.section + "." + path.row))
    const head = new Map(heads.map(head => [head.position, head]))
    const { groups } = this
    for (const { new: path } of changes.updates) at(path)
    for (const { old, new: position } of changes.updatedSections) groups[old].show(head.get(position))
    const leaving = new Set(changes.deletes)
    for (const path of [...changes.deletes, ...changes.moves.map(move => move.old)].sort(order).reverse()) {
      const [row] = groups[path.section].rows.splice(path.row, 1)
      if (leaving.has(path)) this.leave(row)
    }
    const moved = changes.movedSections.map(move => [move.new, groups[move.old]])
    const left = [...changes.deletedSections, ...changes.movedSections.map(move => move.old)].sort((a, b) => b - a)
    const away = changes.deletedSections.map(position => groups[position])
    for (const position of left) groups.splice(position, 1)
    const arriving = [...changes.insertedSections.map(position => [position, new Group()]), ...moved].sort((a, b) => a[0] - b[0])
    for (const [position, group] of arriving) {
      group.show(head.get(position))
      put(this.body, group.element, groups[position]?.element ?? null)
      groups.splice(position, 0, group)
    }
    for (const path of [...changes.inserts, ...changes.moves.map(move => move.new)].sort(order)) {
      const group = groups[path.section], row = at(path)
      put(group.element, row.element, group.rows[path.row]?.element ?? null)
      group.rows.splice(path.row, 0, row)
    }
    for (const group of away) group.element.remove()
  }

  /** Makes the rows and sections those of a whole list. */
  reconcile(sections) {
    const old = new Map(this.groups.map(group => [group.key, group]))
    this.groups = sections.map(section => {
      const key = JSON.stringify(section.identity), group = old.get(key) ?? new Group()
      old.delete(key)
      group.show(section)
      group.rows = section.rows.map(row => this.row(row.content))
      return group
    })
    const here = new Set(this.groups.flatMap(group => group.rows))
    for (const row of [...this.rows.values()]) if (!here.has(row)) this.leave(row)
    let next = null
    for (const group of this.groups.toReversed()) {
      if (group.element.parentNode != this.body || group.element.nextSibling != next) put(this.body, group.element, next)
      next = group.element
    }
    for (const group of this.groups) {
      let next = null
      for (const { element } of group.rows.toReversed()) {
        if (element.parentNode != group.element || element.nextSibling != next) put(group.element, element, next)
        next = element
      }
    }
    for (const group of old.values()) group.element.remove()
  }

  tidy() {
    for (const group of this.groups) group.count()
    this.arrange()
    this.number()
    const stop = (this.rows.get(this.selected) ?? this.groups[0]?.rows[0])?.element
    if (this.stop != stop && this.stop) this.stop.tabIndex = -1
    if (stop) stop.tabIndex = 0
    this.stop = stop
    const row = this.rows.get(this.selected)
    if (row) this.index = this.indexOf(row)
  }

  /** Tells a screen reader where the rows are in the whole list. */
  number() {
    if (!this.virtual) return this.grid.removeAttribute("aria-rowcount")
    this.grid.setAttribute("aria-rowcount", this.total + 1)
    let index = this.from + 2
    for (const group of this.groups) for (const row of group.rows) {
      if (row.index != index) row.element.setAttribute("aria-rowindex", row.index = index)
      index++
    }
  }

  // MARK: Motion

  settle(old, position, { animated, top, all }) {
    if (top) this.position = 0
    else if (position > 1) this.position = position + this.drift(old, position, all)
    if (!animated) return
    const now = this.places(), moved = this.position - position, near = this.size.row * 3
    const seen = y => y > this.position - this.size.row && y < this.position + this.room
    let order = 0
    for (const [part, y] of now) {
      const was = old.get(part)
      if (was != null) {
        const before = was + moved
        if (seen(before) || Math.abs(before - y) < near) this.glide(part, before - y, seen(before) || seen(y))
        else if (seen(y)) this.arrive(part, clamp(before - y, -near, near))
      }
      else if (seen(y)) this.appear(part, this.fresh.size > 20 ? Math.min(order++, 30) * 12 : 0)
      if (this.flashes.has(part) && seen(y)) this.flash(part, this.flashes.get(part))
    }
    for (const row of this.gone) if (seen((old.get(row) ?? NaN) + moved)) this.vanish(row, old.get(row) + moved)
  }

  /** How far the rows in view have been pushed: the view follows them, unless it is at the top. */
  drift(old, position, all) {
    const now = this.places(all), shifts = []
    for (const [part, y] of old) {
      if (part instanceof Row && y >= position && y < position + this.room && now.has(part)) shifts.push(now.get(part) - y)
    }
    return shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0
  }

  glide({ mover }, distance, seen) {
    if (!seen || Math.abs(distance) < 1) return
    const above = Math.abs(distance) > this.size.row * 1.5 && mover.classList.contains("row") ? { zIndex: [2, 2] } : {}
    // Added to the motion that is still under way, so that nothing jumps.
    mover.animate({ transform: [`translateY(${distance}px)`, "translateY(0)"], composite: "add", ...above },
      { duration: 480 + Math.min(Math.abs(distance) / 4, 220), easing: "cubic-bezier(.25, .8, .25, 1)" })
  }

  /** From far away: the last part of the way. */
  arrive(part, distance) {
    this.glide(part, distance, true)
    this.appear(part, 0)
  }

  appear({ mover }, delay) {
    mover.animate({ opacity: [0, 1] }, { duration: 420, delay, fill: "backwards", easing: "ease-out" })
  }

  flash({ element }, changed) {
    element.animate({ opacity: [1, 0] }, { duration: 1800, easing: "ease-out", pseudoElement: "::after" })
    changed.forEach(flip)
  }

  vanish({ element }, y) {
    for (const name of ["data-id", "role", "tabindex", "aria-label", "aria-selected"]) element.removeAttribute(name)
    element.style.top = y - this.shift + "px"
    this.ghosts.append(element)
    const fade = element.animate({ opacity: [1, 0], transform: ["none", "translateX(1.5rem)"] },
      { duration: 360, easing: "ease-in", fill: "forwards" })
    fade.onfinish = fade.oncancel = () => element.remove()
  }

  // MARK: The selection

  indexOf(row) {
    let before = this.from
    for (const group of this.groups) {
      const at = group.rows.indexOf(row)
      if (at >= 0) return before + at
      before += group.rows.length
    }
  }

  at(index) {
    let rest = index - this.from
    if (rest < 0) return
    for (const { rows } of this.groups) {
      if (rest < rows.length) return rows[rest]
      rest -= rows.length
    }
  }

  rowAt(target) { return this.rows.get(Number(target.closest?.(".row")?.dataset.id)) }

  select(row) {
    if (!row) return
    this.rows.get(this.selected)?.element.removeAttribute("aria-selected")
    this.selected = row.id
    this.wanted = null
    row.element.setAttribute("aria-selected", "true")
  }

  /** Makes a row the chosen one, the only one that Tab stops at. */
  choose(row, focus) {
    if (!row) return
    this.select(row)
    this.tidy()
    if (focus) this.focus()
  }

  /** Focuses the chosen row, or the list if that row isn't here. */
  focus() { (this.rows.get(this.selected)?.element ?? this.grid).focus({ preventScroll: true }) }

  reveal(index, row) {
    const y = this.virtual ? index * this.size.row : this.places(true).get(row)
    if (y - this.size.head < this.position) this.position = y - this.size.head
    else if (y + this.size.row > this.position + this.room) this.position = y + this.size.row - this.room
  }

  go(to) {
    const count = this.virtual ? this.total : this.rows.size
    if (!count) return
    const index = clamp(to, 0, count - 1), row = this.at(index)
    this.reveal(index, row)
    if (row) return this.choose(row, true)
    this.wanted = index
    this.grid.focus({ preventScroll: true })
  }

  clicked(event) {
    const row = this.rowAt(event.target)
    // Whoever marks a text doesn't want to open the flight.
    if (!row || getSelection().type == "Range") return
    this.choose(row, true)
    this.board.open(row.flight)
  }

  /** Keys of the list; returns whether it was one. */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const now = this.wanted ?? this.index ?? (this.virtual ? this.visible[0] : 0) - 1
    const page = Math.max(1, Math.floor(this.room / this.size.row) - 1)
    const to = {
      ArrowDown: now + 1, j: now + 1, ArrowUp: now - 1, k: now - 1,
      PageDown: Math.max(now, 0) + page, PageUp: now - page, Home: 0, End: Infinity,
    }[event.key]
    const row = this.rows.get(this.selected)
    if (to != null) this.go(to)
    else if (event.key == "Enter" && row) this.board.open(row.flight)
    else return
    event.preventDefault()
  }
}
