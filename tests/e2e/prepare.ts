// Before the first story: the browser is unpacked once, and not by each of the workers while another starts it.
import { chromiumLaunch } from '#tests/browser.ts'

export default async function prepare(): Promise<void> {
  await chromiumLaunch()
}
