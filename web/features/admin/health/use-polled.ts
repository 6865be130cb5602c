// What is asked for again and again while the page is looked at: none of it can be a live query.
import { useCallback, useEffect, useRef, useState } from 'react'
import { describeError } from '#web/lib/errors.ts'

/** The last result, and why the last question failed; null: it did not. `isBusy`: an answer is awaited. */
export type Polled<Result> = {
  result: Result | undefined
  failure: string | null
  isBusy: boolean
  /** Asks now. */
  renew: () => void
}

/** Asks at once, every `everyMs` while the page is in view, and when it comes into view again. `read` is stable between renders. */
export function usePolled<Result>(read: () => Promise<Result>, everyMs: number): Polled<Result> {
  const [state, setState] = useState<Omit<Polled<Result>, 'renew'>>({ result: undefined, failure: null, isBusy: true })
  const asking = useRef(false)
  const ask = useCallback(async () => {
    if (asking.current) return
    asking.current = true
    setState((before) => ({ ...before, isBusy: true }))
    try {
      setState({ result: await read(), failure: null, isBusy: false })
    } catch (error) {
      const failure = describeError(error).message
      setState((before) => ({ ...before, failure, isBusy: false }))
    } finally {
      asking.current = false
    }
  }, [read])

  useEffect(() => {
    const askInView = () => {
      if (!document.hidden) void ask()
    }
    void ask()
    const timer = setInterval(askInView, everyMs)
    document.addEventListener('visibilitychange', askInView)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', askInView)
    }
  }, [ask, everyMs])

  return { ...state, renew: () => void ask() }
}
