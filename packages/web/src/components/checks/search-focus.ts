export const searchBoxId = 'search-checks'

/** The list must be read before its search is there; a wish older than this is forgotten. */
const wishMs = 10_000
let wishedAt = -Infinity

/** Puts the focus into the search of the list. False when it is not on the page: it gets the focus when it comes. */
export function focusSearch(): boolean {
  const box = document.getElementById(searchBoxId)
  box?.focus()
  wishedAt = box === null ? performance.now() : -Infinity
  return box !== null
}

/** Whether the focus was asked for before the search was there. True once. */
export function takeWish(): boolean {
  const isWished = performance.now() - wishedAt < wishMs
  wishedAt = -Infinity
  return isWished
}
