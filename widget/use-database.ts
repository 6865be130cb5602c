// Whether the server's database answers: the stream of a chat stays open during an outage and says nothing of it.
import { useEffect, useState } from 'react'

const POLL_MS = 1500
/** Spreads the visitors of a busy site, who else would all ask at the same moment after a restart of the server. */
const POLL_SPREAD_MS = 300
const PATIENCE_MS = 5000

/** True while the server says that its database is unavailable. Asked only while `isWatched`: an open chat that is looked at. */
export function useIsDatabaseDown(isWatched: boolean): boolean {
  const [isDown, setDown] = useState(false)
  useEffect(() => {
    if (!isWatched) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const next = await isUnavailable()
      if (isOver) return
      setDown(next)
      timer = setTimeout(ask, POLL_MS + Math.random() * POLL_SPREAD_MS)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isWatched])
  return isDown
}

async function isUnavailable(): Promise<boolean> {
  const init = { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(PATIENCE_MS) } as const
  const answer = await fetch('/api/health', init).catch(() => null)
  const { database } = ((await answer?.json().catch(() => null)) ?? {}) as { database?: string }
  return database === 'unavailable'
}
