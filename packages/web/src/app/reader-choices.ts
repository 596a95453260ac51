import { storedChoice } from './stored-choice.ts'

const zone = storedChoice('vedette-zone', ['local', 'utc'])
const letterKeys = storedChoice('vedette-keys', ['on', 'off'])
const sideBar = storedChoice('vedette-side-bar', ['wide', 'slim'])
const density = storedChoice('vedette-density', ['compact', 'comfortable'])
export type Zone = ReturnType<typeof zone.read>
export type Density = ReturnType<typeof density.read>

/** Zone of all absolute times on the page. */
export const useZone = () => zone.use()
export const chooseZone = (choice: Zone) => zone.choose(choice)

/** Whether shortcuts of one letter work. */
export const useLetterKeys = () => letterKeys.use()
export const chooseLetterKeys = (choice: 'on' | 'off') => letterKeys.choose(choice)

/** Whether the side bar shows words or icons alone. */
export const useSideBar = () => sideBar.use()
export const toggleSideBar = () => sideBar.choose(sideBar.read() === 'wide' ? 'slim' : 'wide')

/** How high rows are where a mouse points at them. */
export const useDensity = () => density.use()
export function chooseDensity(choice: Density): void {
  density.choose(choice)
  showDensity()
}

/** Puts the density on the page. */
export function showDensity(): void {
  document.documentElement.dataset['density'] = density.read()
}
