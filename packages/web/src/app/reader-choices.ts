import { storedChoice } from './stored-choice.ts'

const zone = storedChoice('vedette-zone', ['local', 'utc'])
const letterKeys = storedChoice('vedette-keys', ['on', 'off'])

/** Zone of all absolute times on the page. */
export const useZone = () => zone.use()
export const toggleZone = () => zone.choose(zone.read() === 'utc' ? 'local' : 'utc')

/** Whether shortcuts of one letter work. */
export const useLetterKeys = () => letterKeys.use()
export const chooseLetterKeys = (choice: 'on' | 'off') => letterKeys.choose(choice)
