import { dueAt } from '@vedette/wire'
import { expect, it } from 'vitest'
import { schedule } from '../subjects/vedette.ts'
import { excessOf, latenessOf } from './lateness.ts'

const checkId = '0f8f1c9e-1111-4c7e-9d55-000000000001'
const due = dueAt({ checkId, ...schedule }, 89_000_000)

it('tells how late a request is by the due time of its check, also where it is early', () => {
  expect(latenessOf([['/check/0', due + 7]], [checkId])).toEqual([7])
  expect(latenessOf([['/check/0', due - 3]], [checkId])).toEqual([-3])
  expect(latenessOf([['/check/0', due + 18_000]], [checkId])).toEqual([18_000])
})

it('leaves out requests that are no runs of known checks', () => {
  const others = ['/bare', '/check/1', '/check/x', '/'].map((path): [string, number] => [path, due])
  expect(latenessOf(others, [checkId])).toEqual([])
})

it('tells by how much the time between two requests of a check exceeds its period', () => {
  const arrivals: [string, number][] = [
    ['/check/0', 0],
    ['/check/1', 100],
    ['/check/0', 20_030],
    ['/bare', 20_050],
    ['/check/1', 20_090],
    ['/check/0', 60_030],
  ]
  expect(excessOf(arrivals)).toEqual([30, -10, 20_000])
})
