import { parentPort } from 'node:worker_threads'
import { evaluateAssertions, type AssertionFinding, type AssertionTask, type Expressions } from './assertions.ts'
import { compileJsonPath } from './json-path.ts'
import { firstGroup } from './regex.ts'

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

const expressions: Expressions = { jsonPath: compileJsonPath, firstGroup }

parentPort?.on('message', (batch: AssertionBatch) => {
  for (const finding of evaluateAssertions(tasksOf(batch), expressions)) {
    parentPort?.postMessage(finding satisfies WorkerMessage)
  }
})

parentPort?.postMessage('ready' satisfies WorkerMessage)
