// Follows lists that a Signalbox server sends as events. It needs nothing else.
// @typedef {{ identity: any, title: string, hash: string, rows: { hash: string, content: any }[] }} Section
// @typedef {{ section: number, row: number }} Path
// @typedef {{ updates: { old: Path, new: Path }[], deletes: Path[], moves: { old: Path, new: Path }[], inserts: Path[] }} Changes
// @typedef {{ kind: "reset" | "changes", cursor: string, changes?: Changes }} Page

/**
 * Follows the lists of an event stream, and begins again by itself whenever the stream ends.
 * @param {string} url the address of the stream
 * @param {Record<string, (sections: Section[], page: Page) => void>} lists for each list's name,
 *   what is called with the list as it is now and with the page that led to it
 * @param {{ state?: (state: "connecting" | "live" | "lost") => void, silence?: number, Source?: any }} options
 *   `state` hears when the connection changes; after `silence` ms without an event, a new one is tried,
 *   for twice as long if the last one was open and hadn't come to a sign of life, as when a list is long and the way slow
 * @returns {{ close: () => void }}
 */
export function follow(url, lists, { state = () => {}, silence = 45000, Source = EventSource } = {}) {
  let source, timer, last, said, opened, wait = 500, patience = silence, lacksSign, heard, held = Object.create(null), isClosed = false
  const say = now => { if (now != said && !isClosed) try { state(said = now) } catch (error) { console.error(error) } }

  function open() {
    if (isClosed) return
    source?.close()
    opened = Date.now(), lacksSign = heard = false
    source = new Source(last ? url + (url.includes("?") ? "&" : "?") + "after=" + encodeURIComponent(last) : url)
    source.onopen = () => { lacksSign = true; later(lose, patience); say("live") }
    source.addEventListener("alive", () => { lacksSign = false, patience = silence; hear() })
    for (const name in lists) source.addEventListener(name, event => take(name, event))
    // The browser connects again at a fixed pace. If a stream ends before its first event, this code does it, with growing pauses.
    source.onerror = () => source.readyState == 2 || !heard ? tryLater() : (heard = false, say("lost"))
    later(lose, patience)
    say("connecting")  // Last: the page may close it.
  }
  const later = (action, time) => { clearTimeout(timer); if (!isClosed) timer = setTimeout(action, time) }
  const lose = () => {
    if (lacksSign) patience = Math.min(patience * 2, silence * 16)
    later(open, 0)
    say("lost")
  }
  const hear = () => {
    heard = true
    if (Date.now() - opened > 10000) wait = 500  // After a fault that comes sooner, the pauses grow.
    later(lose, patience)
    say("live")
  }
  const tryLater = () => {
    source.close()
    later(open, (wait = Math.min(wait * 2, 30000)) * (0.5 + Math.random() / 2))
    say("lost")
  }

  function take(name, event) {
    if (isClosed) return
    const list = (held[name] ??= { sections: [], pages: 0 })
    try {
      var page = apply(JSON.parse(event.data), list)
    } catch (error) {
      // The list isn't the server's: the whole of each is asked for.
      console.error(`The list ${name} begins again:`, error);
      [last, held] = [undefined, Object.create(null)]
      return tryLater()
    }
    last = event.lastEventId
    hear()
    if (page.kind != "unchanged" && !isClosed) lists[name](list.sections, page)
  }

  open()
  return { close() { isClosed = true; clearTimeout(timer); source.close() } }
}

/** Applies a page to a list `{ sections, pages }` and returns it, or throws if it doesn't lead to the server's list. */
export function apply(page, list) {
  if (page.kind == "changes" && page.after != list.cursor) throw new Error("a page for another list")
  if (page.kind == "reset") list.sections = page.sections
  if (page.kind == "changes") change(list.sections, page)
  list.cursor = page.cursor
  // A sum costs the length of the list, so that of a long one is compared now and then.
  const length = list.sections.reduce((length, section) => length + section.rows.length, 1)
  if (list.pages++ % Math.ceil(length / 2000) == 0 && sum(list.sections) != page.cursor.slice(-16)) throw new Error("another list")
  return page
}

export function sum(sections) {
  const sum = sections.flatMap(section => [section, ...section.rows])
    .reduce((sum, { hash }) => BigInt.asUintN(64, sum * 6364136223846793005n + BigInt("0x" + hash)), 0n)
  return sum.toString(16).padStart(16, "0")
}

function change(sections, { changes, sections: heads, rows }) {
  const order = (a, b) => a.section - b.section || a.row - b.row
  const row = new Map(rows.map(row => [row.path.section + "." + row.path.row, row]))
  const at = path => row.get(path.section + "." + path.row)
  const head = new Map(heads.map(head => [head.position, head]))
  for (const { old, new: path } of changes.updates) sections[old.section].rows[old.row] = at(path)
  for (const { old, new: to } of changes.updatedSections) sections[old] = { ...head.get(to), rows: sections[old].rows }
  const gone = [...changes.deletes, ...changes.moves.map(move => move.old)].sort(order).reverse()
  for (const path of gone) sections[path.section].rows.splice(path.row, 1)
  const arriving = [
    ...changes.insertedSections.map(to => ({ ...head.get(to), rows: [] })),
    ...changes.movedSections.map(move => ({ ...head.get(move.new), rows: sections[move.old].rows })),
  ].sort((a, b) => a.position - b.position)
  const left = [...changes.deletedSections, ...changes.movedSections.map(move => move.old)].sort((a, b) => b - a)
  for (const position of left) sections.splice(position, 1)
  for (const section of arriving) sections.splice(section.position, 0, section)
  const come = [...changes.inserts, ...changes.moves.map(move => move.new)].sort(order)
  for (const path of come) sections[path.section].rows.splice(path.row, 0, at(path))
}
