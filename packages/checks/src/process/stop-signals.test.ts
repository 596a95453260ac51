import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { onStopSignals } from './stop-signals.ts'

function givenProgram() {
  const signals = new EventEmitter()
  const calls: string[] = []
  let now = 1000
  onStopSignals(
    { first: (signal) => void calls.push(`first ${signal}`), again: (signal) => void calls.push(`again ${signal}`) },
    signals,
    () => now,
  )
  return { calls, send: (signal: string) => void signals.emit(signal, signal), pass: (ms: number) => (now += ms) }
}

test('a Ctrl-C that the terminal sends and npm passes on is one request', () => {
  const { calls, send, pass } = givenProgram()
  send('SIGINT')
  pass(300)
  send('SIGINT')
  expect(calls).toEqual(['first SIGINT'])
})

test('a later signal is another request, whichever it is', () => {
  const { calls, send, pass } = givenProgram()
  send('SIGTERM')
  pass(600)
  send('SIGINT')
  expect(calls).toEqual(['first SIGTERM', 'again SIGINT'])
})
