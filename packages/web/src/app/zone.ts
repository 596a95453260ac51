import { storedChoice } from './stored-choice.ts'

const zone = storedChoice('vedette-zone', ['local', 'utc'])

/** Zone of all absolute times on the page. */
export const useZone = () => zone.use()
export const toggleZone = () => zone.choose(zone.read() === 'utc' ? 'local' : 'utc')
