import { z } from 'zod'
import { alertTypes, checkTypeNames } from '../enums.ts'
import { dateTime, heldBackBy } from './answer-fields.ts'

/** Alerts of the installation itself are of no check. */
const alertTypesOfChecks = alertTypes.filter((type) => !type.startsWith('ALERT_SYSTEM'))

/** An alert that was decided for a check, whoever was notified of it. */
export const checkAlertResponse = z
  .object({
    id: z.string(),
    name: z.string().describe('Name of the check.'),
    checkId: z.string(),
    alertType: z.enum(alertTypesOfChecks),
    checkType: z.enum(checkTypeNames),
    runLocation: z.string().nullable().describe('null for results of passive checks.'),
    responseTime: z.number().nullable().describe('Milliseconds; null when nothing was measured.'),
    error: z.string().nullable().describe('What was wrong, in one sentence.'),
    statusCode: z.string().nullable(),
    created_at: dateTime,
    startedAt: dateTime.nullable().describe('When the run started; null when it did not.'),
    heldBackBy: heldBackBy.describe(
      'The parent that was failing, for which nobody was notified of it; null: none was.',
    ),
  })
  .meta({ id: 'CheckAlert' })
export type CheckAlert = z.infer<typeof checkAlertResponse>
