// Before the first story: the browser is unpacked once, and not by each of the workers while another starts it.
import { chromiumLaunch } from '#tests/browser.ts'

// biome-ignore lint/style/noDefaultExport: Playwright takes it from here
export default async function prepare(): Promise<void> {
  await chromiumLaunch()
}
