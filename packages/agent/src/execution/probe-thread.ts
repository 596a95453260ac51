import { parentPort, workerData } from 'node:worker_threads'
import { runJob } from '@vedette/checks/run'
import { withDnsControl } from './dns-control.ts'
import type { ProbeThreadData } from './probe-worker.ts'
import { serveJobs } from './serve-jobs.ts'

if (parentPort === null) throw new Error('a probe thread is started by the agent')
serveJobs(parentPort, withDnsControl(runJob, (workerData as ProbeThreadData).controlName))
