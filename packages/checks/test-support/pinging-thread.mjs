// A thread that pings this machine once and lives on.
import { parentPort } from 'node:worker_threads'
import { startDeadline } from '../dist/net/deadline.js'
import { systemPing } from '../dist/icmp/pinger.js'

const answers = await systemPing()({ address: '127.0.0.1', count: 1 }, startDeadline(10_000))
parentPort.postMessage(answers)
parentPort.on('message', () => undefined)
