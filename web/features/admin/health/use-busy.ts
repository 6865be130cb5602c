// A button that does something which takes a moment.
import { useState } from 'react'

/** Whether it is being done, and how to do it. A failure has been shown by then. */
export function useBusy(): [boolean, (act: () => Promise<void>) => void] {
  const [isBusy, setBusy] = useState(false)
  const run = (act: () => Promise<void>) => {
    setBusy(true)
    void act()
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return [isBusy, run]
}
