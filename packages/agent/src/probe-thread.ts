import { parentPort } from 'node:worker_threads'
import { runJob } from '@vedette/checks/run'
import { serveJobs } from './serve-jobs.ts'

if (parentPort === null) throw new Error('a probe thread is started by the agent')
serveJobs(parentPort, runJob)
