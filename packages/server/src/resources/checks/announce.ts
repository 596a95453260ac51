import type { FastifyRequest } from 'fastify'
import type { ApiHooks, CheckChange } from '../api-deps.ts'

/**
 * Tells the scheduler of a change that is committed. Its trouble must not make the caller believe that nothing was
 * written: the schedule is read from the table again when the process starts or takes over.
 */
export async function announce(
  hooks: ApiHooks,
  request: FastifyRequest,
  checkId: string,
  change: CheckChange,
): Promise<void> {
  try {
    await hooks.checkChanged(checkId, change)
  } catch (error) {
    request.log.error({ err: error, checkId }, 'the schedule did not take a change of a check')
  }
}
