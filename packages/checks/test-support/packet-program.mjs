// A program that speaks like mtr-packet and sends nothing. Its first argument names a file that notes each start, the second
// what it does with each packet, as JSON: an answer for each, the last one for all others.
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , log, text] = process.argv
const starts = () =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line === 'start').length
appendFileSync(log, 'start\n')
const plans = JSON.parse(text)
const answers = plans[Math.min(starts(), plans.length) - 1]
let count = 0
let isHung = false

let written = Promise.resolve()
const write = (text) => new Promise((resolve) => process.stdout.write(text, () => setImmediate(resolve)))
/** One line after the other, each at once or letter by letter, as a message of its own. */
const say = (line, parts = [`${line}\n`]) => {
  for (const part of parts) written = written.then(() => write(part))
}

function answer(token, address, version, what) {
  const reply = `${token} reply ip-${version} ${address} round-trip-time`
  if (typeof what === 'number') say(`${reply} ${what}`)
  else if (what === 'die') process.exit(3)
  else if (what === 'hang') isHung = true
  else if (what === 'drip') say('', `${reply} 1500\n`.split(''))
  else if (what === 'flood') say('', ['x'.repeat(10_000)])
  else if (what !== 'lose') say(what.replaceAll('{token}', token).replaceAll('{address}', address))
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [token, command, family, address] = line.split(' ')
  if (isHung) return
  if (command === 'check-support') return say(`${token} feature-support support ok`)
  appendFileSync(log, `${line.split(' ').slice(1).join(' ')}\n`)
  count += 1
  answer(token, address, family.slice(3), answers[Math.min(count, answers.length) - 1])
})
