import type { ResultSection } from '@vedette/checks'
import { expect, test } from 'vitest'
import { differences } from './differences.ts'

const view: ResultSection[] = [
  {
    title: 'Time',
    parts: [
      { kind: 'phases', path: 'phases', phases: [{ name: 'dns', label: 'DNS' }], total: 'total' },
      { kind: 'facts', facts: [{ label: 'Waited', path: 'wait', unit: 'ms' }] },
    ],
  },
  {
    title: 'Response',
    parts: [
      { kind: 'line', spans: [{ text: '{status}', look: 'strong' }] },
      { kind: 'keyValues', path: 'headers', nothing: '', tab: 'Headers' },
      { kind: 'text', path: 'body', tab: 'Body' },
    ],
  },
]
const good = {
  status: 200,
  phases: { dns: 2, total: 40 },
  wait: 1,
  headers: { server: 'a', date: 'Monday', via: 'x' },
  body: '{"ok":true,"n":1}',
}

test('two runs that saw the same do not differ, whatever their clocks and request ids say', () => {
  expect(differences(view, good, { ...good, headers: { ...good.headers, date: 'Tuesday' } })).toEqual([])
})

test('status, headers and the first line of the body that differs are named', () => {
  const bad = { ...good, status: 503, headers: { server: 'b', date: 'Monday' }, body: '{"ok":true,"n":2}' }
  expect(differences(view, good, bad)).toEqual([
    { section: 'Response', name: '', was: '200', is: '503' },
    { section: 'Response', name: 'server', was: 'a', is: 'b' },
    { section: 'Response', name: 'via', was: 'x', is: undefined },
    { section: 'Response', name: 'Body, line 3', was: '"n": 1', is: '"n": 2' },
  ])
})

test('a duration is told when somebody would notice the change', () => {
  expect(differences(view, good, { ...good, phases: { dns: 9, total: 58 }, wait: 9 })).toEqual([])
  expect(differences(view, good, { ...good, wait: 90 })).toEqual([
    { section: 'Time', name: 'Waited', was: '1 ms', is: '90 ms' },
  ])
  expect(differences(view, good, { ...good, phases: { dns: 300, total: 340 } })).toEqual([
    { section: 'Time', name: 'DNS', was: '2 ms', is: '300 ms' },
    { section: 'Time', name: 'Total', was: '40 ms', is: '340 ms' },
  ])
})
