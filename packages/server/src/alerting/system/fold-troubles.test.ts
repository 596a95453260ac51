import { expect, test } from 'vitest'
import type { Trouble } from '../../trouble.ts'
import { foldTroubles } from './fold-troubles.ts'

const without = (name: string, since = 1000): Trouble => ({
  key: name,
  code: 'LOCATION_WITHOUT_AGENT',
  severity: 'warning',
  subject: name,
  accountId: 'a',
  location: 'eu-west-1',
  title: `No agent serves ${name}`,
  over: `An agent serves ${name} again`,
  text: `No agent of ${name} has called.`,
  advice: 'Start an agent there.',
  since,
})

test('one trouble is told as it is', () => {
  expect(foldTroubles([without('Office')])).toEqual(without('Office'))
})

test('several name each of them, what to do once, and since when the first', () => {
  expect(foldTroubles([without('Office', 2000), without('Cellar')])).toMatchObject({
    subject: 'Vedette',
    location: null,
    title: 'No agent serves Office; No agent serves Cellar',
    over: 'An agent serves Office again; An agent serves Cellar again',
    text: 'No agent of Office has called. No agent of Cellar has called.',
    advice: 'Start an agent there.',
    since: 1000,
  })
})

test('many are counted', () => {
  const folded = foldTroubles(Array.from({ length: 40 }, (_, at) => without(`L${at}`)))
  expect(folded.title).toMatch(/L4; and 35 more$/)
  expect(folded.text).toMatch(/L19 has called\. and 20 more$/)
})
