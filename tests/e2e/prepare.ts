// Before the first story: the browser is unpacked and the database made once, and not by each of the workers while another starts it.
import { chromiumLaunch } from '#tests/browser.ts'
import { migratedCluster } from '#tests/embedded-cluster.ts'

export default async function prepare(): Promise<void> {
  await chromiumLaunch()
  await migratedCluster()
}
