// One try after another of what may fail: whether it is under way, what came of the newest, and why it failed.
import { useState } from 'react'
import { describeError } from '#web/lib/errors.ts'

type Tried<Value> = { value?: Value; failure?: string; isBusy: boolean; run: () => Promise<void> }

/** What was tried before is forgotten when something new is tried. */
export function useTried<Value>(attempt: () => Promise<Value>): Tried<Value> {
  const [state, setState] = useState<Omit<Tried<Value>, 'run'>>({ isBusy: false })
  async function run() {
    setState({ isBusy: true })
    try {
      setState({ isBusy: false, value: await attempt() })
    } catch (error) {
      setState({ isBusy: false, failure: describeError(error).message })
    }
  }
  return { ...state, run }
}
