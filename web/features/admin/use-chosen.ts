// A value that is changed in its place in a live list.
import { useState } from 'react'

/** What was chosen here is shown until the server's own value changes, which comes a moment later, or the choice is dropped. */
export function useChosen<Value>(live: Value) {
  const [chosen, setChosen] = useState<{ value: Value; over: Value } | null>(null)
  return {
    shown: chosen !== null && Object.is(chosen.over, live) ? chosen.value : live,
    choose: (value: Value) => setChosen({ value, over: live }),
    drop: () => setChosen(null),
  }
}
