// Which addresses of a database are refused before anything is connected.
import { expect, test } from 'vitest'
import { databaseUrlProblem } from './database-url.rules.ts'

test.each([
  'postgres://localhost/parley',
  'postgresql://user:pass@db.example:5432/parley?sslmode=require',
  'postgres://user:p,ss@db.example/parley',
  'postgres://user@/parley?host=/var/run/postgresql',
  'postgres:///parley?host=/var/run/postgresql',
  'postgres://[::1]:5432/parley',
  'postgres://user:pass word@localhost/parley',
])('%s is taken', (url) => {
  expect(databaseUrlProblem(url)).toBeNull()
})

test.each([
  ['mysql://localhost/parley', /must start with postgres/],
  ['"postgres://localhost/parley"', /without quotes/],
  ['postgres://localhost:99999/parley', /port above 65535/],
  ['postgres://one,two/parley', /several hosts/],
  ['postgres://user:pass@one:5432,two:5433/parley?target_session_attrs=read-write', /several hosts/],
  ['postgres:///parley?host=one,two', /several hosts/],
  ['postgres://user:pa/ss@localhost/parley', /percent-encoded/],
  ['postgres://localhost:port/parley', /cannot be read/],
])('%s is refused in words', (url, words) => {
  expect(databaseUrlProblem(url)).toMatch(words)
})
