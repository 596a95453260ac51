import { defaultAlertSettings, doubleCheckStrategy, privateLocationId } from '@vedette/wire'
import { describe, expect, it, test } from 'vitest'
import {
  ownSettingNames,
  resolveCheck,
  type AccountSettings,
  type GroupSettings,
  type OwnSettings,
} from './resolve-check.ts'

const office = privateLocationId('11111111-2222-4333-8444-555555555555')
const afterTwo = { runBasedEscalation: { failedRunThreshold: 2 } } as const
const account: AccountSettings = {
  alertSettings: { runBasedEscalation: { failedRunThreshold: 4 } },
  defaultLocations: ['eu-central-1', 'eu-west-2'],
}
/** A group without settings. */
const silent: GroupSettings = {
  activated: true,
  tags: [],
  muted: false,
  locations: [],
  privateLocations: [],
  runParallel: null,
  doubleCheck: false,
  retryStrategy: 'FALLBACK',
  useGlobalAlertSettings: null,
  alertSettings: null,
}
const complete: Required<OwnSettings> = {
  activated: true,
  tags: ['shop'],
  muted: false,
  frequency: 10,
  frequencyOffset: 7,
  locations: ['eu-west-1'],
  privateLocations: [office],
  runParallel: false,
  doubleCheck: true,
  retryStrategy: null,
  useGlobalAlertSettings: true,
  alertSettings: null,
}

const resolve = (own: Partial<OwnSettings> = {}, group?: Partial<GroupSettings>) =>
  resolveCheck({ ...complete, ...own }, group && { ...silent, ...group }, account)

test('the settings of a check are complete, whatever it left out', () => {
  expect(resolve()).toEqual({
    activated: true,
    tags: ['shop'],
    muted: false,
    frequency: 10,
    frequencyOffset: 7,
    locations: ['eu-west-1', office],
    runParallel: false,
    retryStrategy: doubleCheckStrategy,
    alertSettings: { ...defaultAlertSettings, runBasedEscalation: { failedRunThreshold: 4 } },
  })
})

test('a group that sets nothing changes nothing', () => {
  expect(resolve({}, {})).toEqual(resolve())
})

test('every setting that is read of a definition is named', () => {
  expect([...ownSettingNames].toSorted()).toEqual(Object.keys(complete).toSorted())
})

describe('locations', () => {
  it('are those of the account for a check that names none', () => {
    expect(resolve({ locations: null, privateLocations: null }).locations).toEqual(account.defaultLocations)
    expect(resolve({ locations: [], privateLocations: [] }).locations).toEqual(account.defaultLocations)
    expect(resolve({ locations: [], privateLocations: [office] }).locations).toEqual([office])
  })

  it('are those of the group, both kinds, as soon as it names one of either', () => {
    expect(resolve({}, { locations: ['us-east-1'] }).locations).toEqual(['us-east-1'])
    expect(resolve({ privateLocations: null }, { privateLocations: [office] }).locations).toEqual([office])
  })

  it('are none without a schedule', () => {
    const { frequency: _, frequencyOffset: __, ...passive } = complete
    expect(resolveCheck({ ...passive, locations: null }, undefined, account)).toMatchObject({
      locations: [],
      frequency: null,
      frequencyOffset: null,
    })
  })
})

describe('the retry strategy', () => {
  it('is the own one, completed, whatever doubleCheck says', () => {
    expect(resolve({ retryStrategy: { type: 'LINEAR', onlyOn: ['NETWORK_ERROR'] } }).retryStrategy).toEqual({
      type: 'LINEAR',
      baseBackoffSeconds: 60,
      sameRegion: true,
      maxRetries: 2,
      maxDurationSeconds: 600,
      onlyOn: ['NETWORK_ERROR'],
    })
  })

  it('is one retry at once from another location with doubleCheck, and none without both', () => {
    expect(resolve({ doubleCheck: true }).retryStrategy).toMatchObject({ maxRetries: 1, sameRegion: false })
    expect(resolve({ doubleCheck: false }).retryStrategy).toBeNull()
  })

  it('is one retry for a check that sets nothing in a group with doubleCheck', () => {
    const own = { doubleCheck: false, retryStrategy: null }
    expect(resolve(own, { doubleCheck: true }).retryStrategy).toEqual(doubleCheckStrategy)
    expect(resolve({ ...own, retryStrategy: { type: 'LINEAR' } }, { doubleCheck: true }).retryStrategy).toMatchObject({
      type: 'LINEAR',
    })
  })

  it('is that of the group unless it falls back', () => {
    const own = { retryStrategy: { type: 'LINEAR' } } as const
    expect(resolve(own, { retryStrategy: { type: 'SINGLE_RETRY' } }).retryStrategy).toMatchObject({ maxRetries: 1 })
    expect(resolve(own, { retryStrategy: 'FALLBACK' }).retryStrategy).toMatchObject({ type: 'LINEAR' })
  })
})

describe('alert settings', () => {
  const own = { useGlobalAlertSettings: false, alertSettings: { reminders: { amount: 3 } } } as const

  it('are the own ones, completed, of a check that does not use those of the account', () => {
    expect(resolve(own).alertSettings).toEqual({ ...defaultAlertSettings, reminders: { amount: 3, interval: 5 } })
    expect(resolve({ useGlobalAlertSettings: false }).alertSettings).toEqual(defaultAlertSettings)
  })

  it('are those of the group if it has some, and those of the account if it says so', () => {
    expect(resolve(own, { alertSettings: afterTwo }).alertSettings).toEqual({ ...defaultAlertSettings, ...afterTwo })
    const global = resolve(own, { useGlobalAlertSettings: true, alertSettings: afterTwo })
    expect(global.alertSettings.runBasedEscalation.failedRunThreshold).toBe(4)
  })
})

test('either of check and group switches off and mutes; a group says whether to run in parallel if it says anything', () => {
  expect(resolve({ activated: false }, {}).activated).toBe(false)
  expect(resolve({}, { activated: false }).activated).toBe(false)
  expect(resolve({ muted: true }, {}).muted).toBe(true)
  expect(resolve({}, { muted: true }).muted).toBe(true)
  expect(resolve({ runParallel: true }, {}).runParallel).toBe(true)
  expect(resolve({ runParallel: true }, { runParallel: false }).runParallel).toBe(false)
})

test('no check of a suspended account is activated, and nothing else of it changes', () => {
  const suspended = resolveCheck(complete, undefined, { ...account, suspended: true })
  expect(suspended).toEqual({ ...resolve(), activated: false })
})

test('tags of the group follow the own ones, none twice', () => {
  expect(resolve({ tags: ['shop', 'eu'] }, { tags: ['eu', 'team'] }).tags).toEqual(['shop', 'eu', 'team'])
})
