// The order in which test files are begun: those that take longest first, so that no core is idle while the other plays the last of them.
// Elsewhere Vitest learns this from its last run; a clean checkout has none.
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readDurations } from './run/ledger.ts'

/** Begins with the longest, and leaves the order of the others as it is; TEST_ORDER names another order, with commas between. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const given = process.env.TEST_ORDER?.split(',')
    const names =
      given ??
      Object.entries(readDurations())
        .toSorted((a, b) => b[1] - a[1])
        .map(([name]) => name)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = names.findIndex((name) => moduleId.endsWith(`/${name}`))
      return place === -1 ? names.length : place
    }
    const longestFirst = sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
    // Then those of one project after another: a process that has a file of another project next is ended, and what it has loaded is lost.
    const projects = [...new Set(longestFirst.map(({ project }) => project.name))]
    const projectOf = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return longestFirst.toSorted((a, b) => placeOf(a) - placeOf(b) || projectOf(a) - projectOf(b))
  }
}
