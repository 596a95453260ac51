import { expect, test } from 'vitest'
import { iconOf, worstOf } from './worst-state.ts'

const live = { tone: 'ok', text: 'Live' } as const

test('the tab counts what fails, then what is degraded, and is silent while all is well', () => {
  expect(worstOf({ failing: 2, degraded: 1 }, live)).toEqual({ worst: 'failing', prefix: '(2 failing) ' })
  expect(worstOf({ degraded: 1, passing: 9 }, live)).toEqual({ worst: 'degraded', prefix: '(1 degraded) ' })
  expect(worstOf({ passing: 9, paused: 1 }, live)).toEqual({ worst: 'passing', prefix: '' })
  expect(worstOf(undefined, live).worst).toBe('passing')
})

test('a page that is cut off does not say that all is well', () => {
  const lost = { tone: 'failing', text: 'Cut off from the server' } as const
  expect(worstOf({ passing: 9 }, lost)).toEqual({ worst: 'unknown', prefix: '(?) ' })
})

test('each kind of trouble has an icon of its own shape', () => {
  const icons = (['failing', 'degraded', 'unknown', 'passing'] as const).map(iconOf)
  expect(new Set(icons).size).toBe(4)
})
