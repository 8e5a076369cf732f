// The inspector: what each commit of a store took, which lists it concerned, and why an object is in a list.
// This is what the pointer and the keys do; the other modules show things.

import { find, moves, root, show } from "./page.js"
import { commits, known, paintSwatch, selected, shown, stepNames } from "./commits.js"
import { showOverview } from "./details.js"
import { closeHistory, openHistory } from "./history.js"
import { lists, openList, sortBy, spanColumns } from "./lists.js"
import { poll, togglePause } from "./news.js"
import { applyFilter, clearFilter, follow, followIfAtEnd, isFollowing, isLog, select, selectAt, setFollowing, setScale, showTip, updateScale } from "./timeline.js"

// MARK: Pointer and keys

const commitOf = target => known.get(Number(target.closest?.(".strip > *")?.id.slice(6)))

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button"), bar = commitOf(target)
  if (bar) return select(bar, false)
  if (!button) return
  const { list, asked, commit, object: name, sort } = button.dataset
  if (list != null) openOrAsk(list, asked)
  else if (name != null) openHistory(name)
  else if (commit) reveal(known.get(Number(commit)))
  else if (sort) sortBy(sort)
})

function openOrAsk(list, asked) {
  // Where the history lies over the lists, the answer would be under it.
  if (asked && lists.has(list) && matchMedia("(width < 84rem)").matches) closeHistory()
  openList(list, asked)
}

/** Selects a commit that isn't in sight, and goes there where panes are below each other. */
function reveal(commit) {
  if (!commit) return
  if (commit.bar.hidden) clearFilter()
  select(commit)
  if (!matchMedia("(width < 64rem)").matches) return
  closeHistory()
  find("commit").scrollIntoView({ behavior: moves() ? "smooth" : "auto" })
}

const actions = {
  pause: togglePause, follow: () => isFollowing ? setFollowing(false) : follow(), previous: () => selectAt(-1), next: () => selectAt(1),
  deselect: follow, historyClose: closeHistory,
}
for (const [id, action] of Object.entries(actions)) find(id).addEventListener("click", action)

const scroller = find("scroller")
scroller.addEventListener("pointermove", ({ target }) => showTip(commitOf(target)))
scroller.addEventListener("pointerleave", () => showTip(null))
scroller.addEventListener("focus", () => scroller.matches(":focus-visible") && showTip(selected ?? shown().at(-1)))
scroller.addEventListener("blur", () => showTip(null))
// Who scrolls back wants to look, and who scrolls to the end wants to follow again.
for (const name of ["wheel", "touchmove", "pointerup"]) scroller.addEventListener(name, () => setTimeout(() => selected || followIfAtEnd(), 200), { passive: true })

let typing
find("filter").addEventListener("input", ({ target }) => {
  clearTimeout(typing)
  typing = setTimeout(() => applyFilter(target.value), 150)
})
find("scale").addEventListener("change", ({ target }) => setScale(target.value))

const keys = {
  " ": togglePause, ArrowLeft: () => selectAt(-1), ArrowRight: () => selectAt(1), Home: () => selectAt("first"), End: follow,
  l: () => setScale(isLog ? "linear" : "log"), "/": () => find("filter").select(),
  Escape: () => !find("history").hidden ? closeHistory() : selected ? follow() : clearFilter(),
}

addEventListener("keydown", event => {
  const { target, key } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keys[key]) return
  const isText = target.matches("input:not([type=radio])")
  if (isText ? key != "Escape" || target != find("filter") : target.matches("button, summary, a, [type=radio]") && (key == " " || target.type == "radio" && key.startsWith("Arrow"))) return
  event.preventDefault()
  if (isText) clearFilter(), scroller.focus()
  else keys[key]()
})

// MARK: Colours

const themes = ["system", "light", "dark"]

function showTheme(theme) {
  root.dataset.theme = theme
  find("theme").ariaLabel = find("theme").title = "Colours: " + (theme == "system" ? "as the system" : theme)
}

find("theme").addEventListener("click", () => {
  const theme = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length]
  showTheme(theme)
  try { localStorage.setItem("theme", theme) } catch { /* Then it isn't remembered. */ }
})
try { showTheme(themes.find(theme => theme == localStorage.getItem("theme")) ?? "system") } catch { /* The system's colours. */ }

// MARK: Start

/** What the page has, for tests. */
window.inspectorSummary = () => ({ commits: commits.length, lists: lists.size, selected: selected?.number ?? null })

show(find("legend"), "legendTemplate", [...stepNames, "failed", "external"].map(name => ({ name })), item => item, paintSwatch)
updateScale(true)
showOverview()
new ResizeObserver(spanColumns).observe(find("listTable"))
document.addEventListener("visibilitychange", poll)
poll()
