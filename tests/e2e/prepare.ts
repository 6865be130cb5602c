// Before the first story: the browser is unpacked, and the PostgreSQL of the stories started, on which each installation gets a database.
import { chromiumLaunch } from '#tests/browser.ts'
import { setup, teardown } from '#tests/global-setup.ts'

/** @returns what ends it after the last story */
export default async function prepare(): Promise<() => Promise<void>> {
  await chromiumLaunch()
  await setup()
  return teardown
}
