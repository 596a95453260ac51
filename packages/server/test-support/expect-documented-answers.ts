import { afterEach, expect } from 'vitest'
import { takeUndocumented } from './documented-answers.ts'

// Loaded before every test file: a test in which an answer differed from the OpenAPI document fails.
afterEach(() => {
  expect(takeUndocumented(), 'answers that the OpenAPI document describes differently').toEqual([])
})
