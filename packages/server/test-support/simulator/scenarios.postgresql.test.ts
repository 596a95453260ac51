import { describe } from 'vitest'
import { testScenarios } from './scenario-tests.ts'

describe('what happened once', testScenarios)
