import { parentPort } from 'node:worker_threads'
import { evaluateAssertions, type AssertionFinding, type AssertionTask, type Expressions } from './assertions.ts'
import { compileJsonPath } from './json-path.ts'
import { firstGroup } from './regex.ts'

/** Each subject is sent once, even when several assertions read it. */
export interface AssertionBatch {
  subjects: AssertionTask['subject'][]
  tasks: (Omit<AssertionTask, 'subject'> & { subject: number })[]
}

/**
 * Findings are sent one by one, in order, so that it is known which assertion was being evaluated when a limit was
 * exceeded.
 */
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
