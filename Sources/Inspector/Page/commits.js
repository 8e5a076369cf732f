// The commits that the page keeps, those that the filter shows, and the one that is selected.

import { clip, sum } from "./page.js"

/** The steps of a commit in their order, and what happens in each. */
export const steps = {
  waiting: "for other writers", merging: "external commits", body: "the app's code", rules: "of the schemas",
  storing: "the changes", preparing: "lists brought up to date", sealing: "so that readers see it",
  installing: "deliveries lined up", syncing: "to make it durable", delivering: "to immediate subscribers",
}
export const stepNames = Object.keys(steps)

const colours = { failed: "var(--bad)", external: "none" }
export const colour = name => stepNames.includes(name) ? `var(--${name})` : colours[name] ?? "var(--soft)"

export function paintSwatch(element, { name }) {
  const swatch = element.querySelector(".swatch")
  swatch.style.background = colour(name)
  if (name in colours) swatch.classList.add(name)
}

export const titleOf = ({ name, version, number }) => clip(name || (version == null ? `Commit ${number}` : `Version ${version}`), 200)
export const kindOf = ({ error, external, version }) => error != null ? "Failed" : external ? "External" : version == null ? "No version" : ""

// MARK: The kept commits

/** How many commits the page keeps. */
const limit = 1000
/** @type {any[]} The kept commits, oldest first. */
export const commits = []
/** @type {Map<number, any>} The same by their numbers. */
export const known = new Map()

/** Keeps newer commits, and returns those that are kept no longer. */
export function keep(added) {
  for (const commit of added) {
    commit.total = sum(commit.steps, step => step.time)
    const { name, version, error, external, changes } = commit
    commit.text = [name, version, error, external ? "external" : "", error != null ? "failed" : "", ...changes.map(change => change.object)]
      .join("\n").toLowerCase()
    known.set(commit.number, commit)
  }
  commits.push(...added)
  return remove(commits.length - limit)
}

/** Removes the oldest commits, and returns them. */
export function remove(count) {
  const gone = commits.splice(0, Math.max(0, count))
  for (const { number } of gone) known.delete(number)
  return gone
}

// MARK: What is shown

/** The words that a commit must have to be shown. */
export let filter = ""
/** @type {any} The selected commit, which may be kept no longer, or null for all. */
export let selected = null

export function setFilter(text) { filter = text.trim().toLowerCase() }
export function setSelected(commit) { selected = commit }

export const matches = commit => filter.split(/\s+/).every(word => commit.text.includes(word))
export const shown = () => commits.filter(commit => !commit.bar.hidden)
