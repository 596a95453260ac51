import { parentPort } from 'node:worker_threads'
import { evaluateAssertions, type AssertionFinding, type AssertionTask } from './assertions.ts'

/** Subjects are sent once, however many assertions look at them. */
export interface AssertionBatch {
  subjects: AssertionTask['subject'][]
  tasks: (Omit<AssertionTask, 'subject'> & { subject: number })[]
}

/** One finding at a time, in order, so that the assertion that does not come to an end is known. */
export type WorkerMessage = 'ready' | AssertionFinding

function* tasksOf({ subjects, tasks }: AssertionBatch): Generator<AssertionTask> {
  for (const { subject, ...task } of tasks) yield { ...task, subject: subjects[subject] }
}

parentPort?.on('message', (batch: AssertionBatch) => {
  for (const finding of evaluateAssertions(tasksOf(batch))) parentPort?.postMessage(finding satisfies WorkerMessage)
})

parentPort?.postMessage('ready' satisfies WorkerMessage)
