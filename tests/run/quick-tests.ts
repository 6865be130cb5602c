// Which tests need no database, and so run in a few minutes.
import fs from 'node:fs'

const TESTS = ['{shared,server,web,widget,tests}/**/*.test.{ts,tsx}']
/** A test that opens a database imports one of these, or starts a program that does. */
const NEEDS_DATABASE =
  /#tests\/(database|app|pipeline-world|server-process)\.ts|\.\/database\.ts|tests\/chaos|openTestDatabase/
const WITH_DATABASE = ['tests/chaos/', 'tests/simulation/', 'tests/integration/']

/** Paths of test files. */
export function testsWithoutDatabase(): string[] {
  const files = fs.globSync(TESTS, { exclude: ['node_modules/**', 'tests/e2e/**'] })
  return files.filter((file) => {
    if (WITH_DATABASE.some((folder) => file.startsWith(folder))) return false
    return !NEEDS_DATABASE.test(fs.readFileSync(file, 'utf8'))
  })
}
