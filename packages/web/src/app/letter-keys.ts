import { storedChoice } from './stored-choice.ts'

const letterKeys = storedChoice('vedette-keys', ['on', 'off'])

export const useLetterKeys = () => letterKeys.use()
export const chooseLetterKeys = (choice: 'on' | 'off') => letterKeys.choose(choice)
