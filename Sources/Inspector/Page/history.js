// The history of an object.

import { ask, clip, fill, find, plural, root, show } from "./page.js"
import { commits } from "./commits.js"
import { changeTexts, showValues } from "./details.js"
import { queryTexts, suggest } from "./lists.js"

const panel = find("history")
/** The name of the object, and what had the focus before. */
let object = "", opener = null

export async function openHistory(name) {
  if (panel.hidden) opener = document.activeElement
  if (object != name) find("historyChanges").replaceChildren()
  object = name
  fill(panel, { title: clip(name, 200), facts: "Asking…" })
  panel.hidden = false
  root.classList.add("split")
  panel.scrollTop = 0
  panel.focus({ preventScroll: true })
  const views = suggest(name)
  show(find("asks"), "askTemplate", views, ({ data }) => queryTexts(data), (item, { data }) => {
    Object.assign(item.firstElementChild.dataset, { list: data.id, asked: name })
    item.firstElementChild.title = data.query
  })
  find("askTitle").hidden = !views.length
  await loadHistory()
}

async function loadHistory() {
  const name = object, { changes, error } = await ask("history", { object: name }).catch(error => ({ error }))
  if (panel.hidden || name != object) return
  const all = allChanges(changes ?? [])
  fill(panel, { facts: error?.message ?? `${plural(all.length, "change")} in the kept commits` })
  if (!error) show(find("historyChanges"), "changeTemplate", all.reverse(), historyTexts, (item, change) => {
    showValues(item, change)
    const button = item.querySelector(".object"), commit = commits.findLast(({ version }) => version == change.version)
    delete button.dataset.object
    button.disabled = !commit
    button.dataset.commit = commit?.number ?? ""
  })
}

/** The page knows older commits, and the server all changes of the newest ones. */
function allChanges(changes) {
  const recorded = new Set(changes.map(change => change.version))
  const older = commits.flatMap(commit => commit.changes.filter(change => change.object == object && !recorded.has(change.version)))
  return [...older, ...changes].sort((a, b) => a.version - b.version)
}

function historyTexts(change) {
  const commit = commits.findLast(({ version }) => version == change.version)
  return { ...changeTexts(change), object: `Version ${change.version}${commit?.name ? ` · ${clip(commit.name, 100)}` : ""}` }
}

export function refreshHistory(news) {
  // A large commit comes with its first changes only.
  const concerns = ({ changes, changeCount }) => changeCount > changes.length || changes.some(change => change.object == object)
  if (!panel.hidden && news.some(concerns)) loadHistory()
}

export function closeHistory() {
  const focused = panel.contains(document.activeElement)
  panel.hidden = true
  root.classList.remove("split")
  if (focused) (opener?.isConnected ? opener : find("scroller")).focus({ preventScroll: true })
}
