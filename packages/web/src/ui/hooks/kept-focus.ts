import { useEffect } from 'react'

/** Where an element stood: its place among the children of each element around it, innermost first. */
type Place = readonly { parent: Element; index: number }[]

const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])'

/** The control of the page that had the focus last. */
let focused: { element: Element; place: Place; path: string; root: HTMLElement } | undefined

/** Gives the focus back to the page, from something over it that goes away. */
export function focusPage(): void {
  const { element, place, root } = focused ?? {}
  const control = element instanceof HTMLElement && element.isConnected ? element : place && controlAt(place)
  const target = control ?? root ?? document.querySelector<HTMLElement>('main')
  target?.focus({ preventScroll: true })
}

/**
 * When the control with the focus goes away, such as the row whose Delete was pressed, the focus goes to what stands at its
 * place then. The way to another page is no such case: its content gets the focus.
 */
export function useKeptFocus(rootId: string): void {
  useEffect(() => {
    const root = document.getElementById(rootId)
    if (!root) return
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== root)
        focused = { element: target, place: placeOf(target, root), path: location.pathname, root }
    }
    const keep = () => {
      if (focused === undefined || focused.element.isConnected || document.activeElement !== document.body) return
      if (focused.path === location.pathname) focusPage()
      else focused = undefined
    }
    const observer = new MutationObserver(keep)
    observer.observe(root, { childList: true, subtree: true })
    root.addEventListener('focusin', note)
    return () => {
      observer.disconnect()
      root.removeEventListener('focusin', note)
    }
  }, [rootId])
}

function placeOf(element: Element, root: Element): Place {
  const place: { parent: Element; index: number }[] = []
  for (let child = element; child !== root && child.parentElement !== null; child = child.parentElement)
    place.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) })
  return place
}

/** The control at a place, or the next one after it, or else before it. */
function controlAt(place: Place): HTMLElement | undefined {
  for (const { parent, index } of place) {
    if (!parent.isConnected) continue
    const children = [...parent.children]
    for (const child of [...children.slice(index), ...children.slice(0, index).toReversed()]) {
      const found = controlIn(child)
      if (found) return found
    }
  }
  return undefined
}

function controlIn(element: Element): HTMLElement | undefined {
  const all = [...(element.matches(tabbable) ? [element] : []), ...element.querySelectorAll(tabbable)]
  return all.find((each): each is HTMLElement => each instanceof HTMLElement && each.checkVisibility())
}
