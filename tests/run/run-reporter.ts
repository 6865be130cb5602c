// Vitest reporter: leaves what one run was, tests and errors outside of tests, as JSON in the file that RUN_REPORT names.
import fs from 'node:fs'
import path from 'node:path'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** One test file. `path` from the root of the project; `seconds` of its tests, hooks and imports on the clock. */
export type FileReport = { path: string; project: string; seconds: number; errors: string[]; tests: TestReport[] }
export type TestReport = { name: string; state: 'passed' | 'failed' | 'skipped' | 'pending'; errors: string[] }
/** `errors`: outside of any test, such as an unhandled rejection. */
export type RunReport = { files: FileReport[]; errors: string[] }

export default class RunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.RUN_REPORT
    if (!file) return
    const report: RunReport = { files: modules.map(fileReport), errors: unhandled.map(reasonOf) }
    fs.writeFileSync(file, JSON.stringify(report))
  }
}

function fileReport(module: TestModule): FileReport {
  const { duration, collectDuration, environmentSetupDuration, setupDuration } = module.diagnostic()
  const milliseconds = duration + collectDuration + environmentSetupDuration + setupDuration
  const suites = [...module.children.allSuites()]
  return {
    path: path.relative(process.cwd(), module.moduleId),
    project: module.project.name,
    seconds: Math.round(milliseconds / 100) / 10,
    errors: [module, ...suites].flatMap((owner) => owner.errors().map(reasonOf)),
    tests: [...module.children.allTests()].map(testReport),
  }
}

function testReport(test: TestCase): TestReport {
  const { state, errors = [] } = test.result()
  return { name: test.fullName, state, errors: errors.map(reasonOf) }
}

type Reason = { message: string; stack?: string | undefined; diff?: string | undefined }

function reasonOf({ message, stack, diff }: Reason): string {
  return [stack?.includes(message) ? undefined : message, diff, stack].filter(Boolean).join('\n')
}
