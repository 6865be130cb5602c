// The order in which test files are begun: those that take longest first, so that no core is idle while the other plays the last of them.
// Elsewhere Vitest learns this from its last run; a clean checkout has none.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take more than ten seconds on one of the engines, longest first. */
const LONGEST = [
  'tests/chaos/failpoints.test.ts',
  'tests/chaos/faults.test.ts',
  'tests/chaos/files.test.ts',
  'tests/chaos/kill.test.ts',
  'tests/integration/access.test.ts',
  'tests/integration/hostile-files.test.ts',
  'tests/integration/sites.test.ts',
  'tests/integration/start.test.ts',
  'tests/integration/ratings-channels.test.ts',
  'server/db/embedded.test.ts',
  'tests/integration/whatsapp-setup.test.ts',
  'tests/integration/connection-health.test.ts',
  'tests/integration/whatsapp.test.ts',
  'tests/integration/upload-tricks.test.ts',
  'server/jobs/pg-boss.test.ts',
  'tests/integration/knowledge-tables.test.ts',
  'tests/integration/knowledge-ingest.test.ts',
  'tests/integration/allowance.test.ts',
  'tests/integration/retention.test.ts',
  'tests/integration/wallet.test.ts',
  'tests/integration/knowledge.test.ts',
  'tests/integration/unknown-sends.test.ts',
  'tests/integration/telegram.test.ts',
  'tests/chaos/crash.test.ts',
]

/** Begins with the longest, and leaves the order of the others as it is. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
      return place === -1 ? LONGEST.length : place
    }
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
