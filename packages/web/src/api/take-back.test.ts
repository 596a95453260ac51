import type { BulkOutcome } from '@vedette/wire'
import { expect, test } from 'vitest'
import { takeBack, type SendChange } from './take-back.ts'

const now = Date.UTC(2026, 4, 4, 7)
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toISOString()

/** A server that answers so for the first check of a part. */
function given(answers: Record<string, string | Error> = {}) {
  const sent: BulkOutcome['undo'] = []
  const send: SendChange = (part) => {
    sent.push(part)
    const answer = answers[part.ids[0] ?? '']
    if (answer instanceof Error) return Promise.reject(answer)
    return Promise.resolve({ refused: answer === undefined ? [] : part.ids.map((id) => ({ id, message: answer })) })
  }
  return { sent, send }
}

test('every part is sent, also after one that fails, and who could not be taken back is counted with the reasons', async () => {
  const { sent, send } = given({ a: 'No such check.', c: new Error('Too many requests'), e: 'No such check.' })
  const undo = [
    { ids: ['a', 'b'], change: { restore: true as const } },
    { ids: ['c'], change: { muted: true } },
    { ids: ['d'], change: { muted: false } },
    { ids: ['e'], change: { activated: true } },
  ]
  expect(await takeBack(undo, send, now)).toEqual({ count: 4, reasons: ['No such check.', 'Too many requests'] })
  expect(sent).toEqual(undo)
})

test('a mute that is over meanwhile is not begun again, and one that lasts or never ends is', async () => {
  const { sent, send } = given()
  const ends = [inSeconds(-5), inSeconds(0.5), inSeconds(60), null]
  const undo = ends.map((mutedUntil, nr) => ({ ids: [`${nr}`], change: { mutedUntil, addTags: ['eu'] } }))
  expect(await takeBack(undo, send, now)).toEqual({ count: 0, reasons: [] })
  const addTags = ['eu']
  expect(sent.map(({ change }) => change)).toEqual([
    { addTags, muted: false },
    { addTags, muted: false },
    { addTags, mutedUntil: inSeconds(60) },
    { addTags, mutedUntil: null },
  ])
})
