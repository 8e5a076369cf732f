// The lists that the store keeps up to date, and why an object is in one.

import { ask, clip, clone, count, fill, find, moves, plural, setMeter, show, sum } from "./page.js"

/** @type {Map<string, { data: any, row: HTMLElement, detail: HTMLElement | null, button: HTMLElement }>} */
export const lists = new Map()
const order = { by: "work", falls: true }
/** The object that was looked at last, for which lists are asked. */
let suggested = ""

export const workOf = ({ candidates, comparisons }) => candidates + comparisons
const waitingOf = ({ models }) => sum(models, model => model.waiting)

/** The entity of a query, and the rest in one line. */
export function queryTexts({ entity, query }) {
  const words = query.replace(/\s+/g, " ").trim()
  const rest = words.startsWith(entity) ? words.slice(entity.length).trim() : words
  return { entity, rest: clip(rest || "all", 300) }
}

export function takeLists(all) {
  const here = new Set(all.map(list => list.id)), most = Math.max(1, ...all.map(workOf))
  for (const [id, view] of lists) if (!here.has(id)) dropList(id, view)
  for (const data of all) showList(data, most)
  find("noLists").hidden = lists.size > 0
  find("listTable").hidden = !lists.size
  find("listCount").textContent = lists.size ? count(lists.size) : ""
  // Rows don't move under somebody's pointer or focus.
  const table = find("listTable")
  if (!table.matches(":hover, :focus-within") && !table.querySelector("[aria-expanded=true]")) sortLists()
}

/** Removes all lists, as the app has restarted: its new lists have the same ids. */
export function forgetLists() {
  for (const { row, detail } of lists.values()) {
    row.remove()
    detail?.remove()
  }
  lists.clear()
}

function dropList(id, { row, detail }) {
  // One that is read stays until it is closed.
  if (detail && !detail.hidden) return row.classList.add("gone")
  row.remove()
  detail?.remove()
  lists.delete(id)
}

function showList(data, most) {
  let view = lists.get(data.id)
  if (!view) {
    const row = clone("listTemplate").firstElementChild, button = row.querySelector("button")
    lists.set(data.id, view = { row, button, detail: null })
    button.title = data.query
    button.addEventListener("click", () => toggleList(data.id))
    find("lists").append(row)
  }
  view.data = data
  const work = workOf(data), waiting = waitingOf(data)
  fill(view.row, {
    ...queryTexts(data), kind: data.kind, rows: count(data.rows), models: count(data.models.length), work: count(work),
    average: data.commits ? (work / data.commits).toFixed(1) : "–", fetches: count(data.fetches), waiting: waiting ? count(waiting) : "–",
  })
  setMeter(view.row, work / most)
  view.row.classList.remove("gone")
  view.row.classList.toggle("wrong", data.models.some(model => model.error != null))
  view.row.classList.toggle("waits", waiting > 0)
  if (view.detail && !view.detail.hidden) showDetail(view)
}

const sortKeys = {
  name: ({ query }) => query, rows: list => list.rows, models: list => list.models.length, work: workOf,
  average: list => workOf(list) / (list.commits || 1), fetches: list => list.fetches, waiting: waitingOf,
}

function sortLists() {
  const key = sortKeys[order.by], compare = (a, b) => a < b ? -1 : a > b ? 1 : 0
  const all = [...lists.values()].sort((a, b) => compare(key(a.data), key(b.data)) * (order.falls ? -1 : 1) || compare(a.data.id, b.data.id))
  const rows = all.flatMap(({ row, detail }) => detail ? [row, detail] : [row])
  if (rows.some((row, index) => find("lists").children[index] != row)) find("lists").append(...rows)
}

export function sortBy(name) {
  order.falls = order.by == name ? !order.falls : name != "name"
  order.by = name
  for (const button of document.querySelectorAll("[data-sort]"))
    button.parentElement.setAttribute("aria-sort", button.dataset.sort != name ? "none" : order.falls ? "descending" : "ascending")
  sortLists()
}

function toggleList(id, opens) {
  const view = lists.get(id)
  if (!view) return
  const isOpen = opens ?? view.button.getAttribute("aria-expanded") != "true"
  view.button.setAttribute("aria-expanded", isOpen)
  view.row.classList.toggle("open", isOpen)
  if (isOpen && !view.detail) makeDetail(view)
  if (view.detail) view.detail.hidden = !isOpen
  if (isOpen) showDetail(view)
  else if (view.row.classList.contains("gone")) dropList(id, view)
}

function makeDetail(view) {
  const detail = view.detail = clone("detailTemplate").firstElementChild, plan = detail.querySelector(".plan")
  view.row.after(detail)
  spanColumns()
  view.input = detail.querySelector("input")
  plan.addEventListener("toggle", async () => {
    if (plan.open) plan.querySelector("pre").textContent = await ask("plan", { list: view.data.id }).then(({ plan }) => plan, error => error.message)
  })
  detail.querySelector("form").addEventListener("submit", event => {
    event.preventDefault()
    explain(view)
  })
  if (concerns(view, suggested)) view.input.value = suggested
}

/** Details span the columns that there is room for. */
export function spanColumns() {
  const columns = [...document.querySelectorAll("#listTable > thead th")].filter(column => column.offsetParent)
  for (const { detail } of lists.values()) if (detail) detail.firstElementChild.colSpan = columns.length
}

function showDetail({ detail, data }) {
  const { models, commits, candidates, comparisons, fetches } = data
  fill(detail, { query: data.query, facts: `Asked about ${plural(commits, "commit")}: ${plural(candidates, "candidate")}, ${plural(comparisons, "comparison")}, read whole ${fetches == 1 ? "once" : `${count(fetches)} times`}` })
  detail.querySelector("[data-none]").hidden = models.length > 0
  detail.querySelector(".models").hidden = !models.length
  show(detail.querySelector(".models tbody"), "modelTemplate", models, ({ from, rows, total, subscriptions, waiting, error }) => ({
    window: rows ? `${count(from)} – ${count(from + rows - 1)}` : "none", total: count(total), subscriptions: count(subscriptions),
    waiting: count(waiting), error,
  }), (row, { error }) => row.classList.toggle("wrong", error != null))
}

/** Opens a list, and asks about an object there if there is one. */
export function openList(id, asked) {
  const view = lists.get(id)
  if (!view) return
  toggleList(id, true)
  view.row.scrollIntoView({ block: "start", behavior: moves() ? "smooth" : "auto" })
  view.button.focus({ preventScroll: true })
  if (!asked) return
  view.input.value = asked
  explain(view)
}

// MARK: Why an object is in a list

const concerns = ({ data }, name) => data.entity == name.split("(")[0]

/** Puts an object into the questions to the lists that could have it, and returns these lists. */
export function suggest(name) {
  suggested = name
  const views = [...lists.values()].filter(view => concerns(view, name))
  for (const { input } of views) if (input) input.value = name
  return views
}

async function explain({ detail, input, data }) {
  const name = input.value.trim(), place = detail.querySelector(".answer")
  if (!name) return input.focus()
  const reasons = await ask("reasons", { object: name, list: data.id }).catch(error => ({ error }))
  // Meanwhile another object may be asked for.
  if (input.value.trim() != name) return
  place.replaceChildren(clone("answerTemplate"))
  const { verdict, hint } = judge(clip(name, 100), reasons, data)
  fill(place, { verdict, hint })
  place.dataset.truth = reasons.error ? "unknown" : reasons.belongs
  if (reasons.filter) place.querySelector(".reasons").append(reasonItem(reasons.filter, true))
  const keys = [...(reasons.section ?? []).map(key => ({ label: "Section", ...key })), ...(reasons.order ?? []).map(key => ({ label: "Sorted by", ...key }))]
  show(place.querySelector(".keys"), "keyTemplate", keys, key => ({ ...key, value: clip(key.value, 400) }))
}

function judge(name, { error, stored, belongs, shown, filter }) {
  if (error) return { verdict: error.message, hint: "" }
  if (!stored) return { verdict: `${name} isn't in the store.`, hint: "It was deleted, or it never was." }
  if (!belongs) return { verdict: `${name} doesn't belong to this list.`, hint: "The marked conditions decide it." }
  const hint = shown == false ? " No model shows it: it is outside their windows and limits." : ""
  return { verdict: `${name} belongs to this list.`, hint: (filter ? "All that decides it is marked." : "The list has no filter: every object belongs to it.") + hint }
}

/** How parts make a condition. */
const joints = { and: "all of", or: "one of", not: "not" }

/** A condition with its parts; those that decide are marked. */
function reasonItem({ condition, isTrue, operator, values, parts }, decides) {
  const item = clone("reasonTemplate").firstElementChild
  fill(item, { truth: isTrue ? "true: " : "false: ", condition: joints[operator] ?? clip(condition, 1000) })
  item.dataset.truth = isTrue
  item.classList.toggle("decides", decides && !parts.length)
  item.classList.toggle("joint", parts.length > 0)
  show(item.querySelector(".compared"), "comparedTemplate", values, ({ expression, value }) => ({ expression, value: clip(value, 400) }))
  item.querySelector(".reasons").append(...parts.map(part => reasonItem(part, decides && (operator == "not" || part.isTrue == isTrue))))
  return item
}
