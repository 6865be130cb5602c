// The verdict of two runs of the same tests, and the budgets of stages.
import { expect, it } from 'vitest'
import { overBudget } from './ledger.ts'
import type { FileReport, TestReport } from './run-reporter.ts'
import { toleratedSecondTries } from './second-tries.ts'
import { judge } from './vitest-run.ts'

const passed = (name: string): TestReport => ({ name, state: 'passed', errors: [] })
const failed = (name: string): TestReport => ({ name, state: 'failed', errors: ['it was late'] })
const file = (path: string, ...tests: TestReport[]): FileReport => ({
  path,
  project: 'node',
  seconds: 1,
  errors: [],
  tests,
})

it('counts a test that passed at its second try as a failure, unless the list tolerates it', () => {
  const first = { files: [file('a.test.ts', failed('waits')), file('b.test.ts', passed('works'))], errors: [] }
  const second = { files: [file('a.test.ts', passed('waits'))], errors: [] }
  const result = judge(first, second, [])
  expect(result).toMatchObject({ passed: 2, failed: 1 })
  expect(result.flaky).toEqual([expect.stringContaining('a.test.ts › waits')])
  expect(judge(first, second, ['a.test.ts › waits'])).toMatchObject({ passed: 2, failed: 0 })
})

it('keeps an error outside of tests, though the test that failed with it passes at its second try', () => {
  const first = { files: [file('a.test.ts', failed('waits'))], errors: ['Unhandled rejection: of another file'] }
  const second = { files: [file('a.test.ts', passed('waits'))], errors: [] }
  expect(judge(first, second, []).failures).toContainEqual(
    expect.stringContaining('Unhandled rejection: of another file'),
  )
})

it('counts a file once if it ran again only as a neighbour, including its failures', () => {
  const first = { files: [file('a.test.ts', passed('leaves')), file('b.test.ts', failed('finds'))], errors: [] }
  const again = [file('a.test.ts', passed('leaves')), file('b.test.ts', failed('finds'))]
  expect(judge(first, { files: again, errors: [] }, [])).toMatchObject({ passed: 1, failed: 1, flaky: [] })
})

it('reports by how much a stage exceeds its budget, and nothing where time is not measured', () => {
  const stage = { name: 'tests', seconds: 10, cpuSeconds: 101, pieceMs: 25 }
  const budget = (tests: number) => ({ pieceMs: 25, stages: { tests } })
  expect(overBudget([stage], budget(100))).toEqual([expect.stringContaining('101 processor seconds')])
  expect(overBudget([stage], budget(101))).toEqual([])
  expect(overBudget([{ ...stage, cpuSeconds: null }], budget(1))).toEqual([])
})

it('counts the seconds of a slower machine for less, and those of a faster one as they are', () => {
  const budget = { pieceMs: 25, stages: { tests: 100 } }
  const stage = { name: 'tests', seconds: 10, cpuSeconds: 200 }
  expect(overBudget([{ ...stage, pieceMs: 50 }], budget)).toEqual([])
  expect(overBudget([{ ...stage, pieceMs: 40 }], budget)).toEqual([expect.stringContaining('125 processor seconds')])
  expect(overBudget([{ ...stage, cpuSeconds: 100, pieceMs: 10 }], budget)).toEqual([])
})

it('tolerates no second try after its day', () => {
  expect(toleratedSecondTries(new Date('9999-01-01'))).toEqual([])
})
