// Which histories of a database are refused, and in which words.
import { expect, test } from 'vitest'
import { historyProblem } from './migration-history.rules.ts'

const KNOWN = ['001-first', '002-second', '003-third']

test.each([[[]], [['001-first']], [KNOWN]])('%j is brought up to date', (executed) => {
  expect(historyProblem(executed, KNOWN)).toBeNull()
})

test('a newer version has been here', () => {
  const problem = historyProblem([...KNOWN, '004-fourth', '005-fifth'], KNOWN)
  expect(problem).toMatch(/newer version of Parley: it has 004-fourth, 005-fifth, and this version ends with 003-third/)
  expect(problem).toMatch(/Start that version again, or restore a backup/)
})

test.each([
  [['001-first', '003-third'], /lacks 002-second/],
  [['001-first', '002-other', '003-third'], /has 002-other[\s\S]*lacks 002-second/],
  [['001-first', '004-fourth'], /has 004-fourth/],
])('%j is of another line', (executed, words) => {
  const problem = historyProblem(executed, KNOWN)
  expect(problem).toMatch(/does not follow/)
  expect(problem).toMatch(words)
})

test('names no more than a few', () => {
  const many = Array.from({ length: 9 }, (_, at) => `10${at}-x`)
  expect(historyProblem([...KNOWN, ...many], KNOWN)).toContain('100-x, 101-x, 102-x and 6 more')
})
