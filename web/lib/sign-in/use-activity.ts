// Tells the server that a person is there: an open tab alone does not keep a session from ending.
import { useEffect } from 'react'
import { api } from '#web/api.ts'
import { useMutation } from '#web/lib/server/convex.ts'

const EVERY_MS = 60_000

/** While mounted, pointer and keys of the page count as use of the session, at most once a minute. */
export function useActivity(): void {
  const active = useMutation(api.users.active, { hasToast: false })
  useEffect(() => {
    let sentAt = Date.now()
    const send = () => {
      if (Date.now() - sentAt < EVERY_MS) return
      sentAt = Date.now()
      active({}).catch(() => undefined) // repeated by the next movement
    }
    for (const name of ['pointermove', 'pointerdown', 'keydown']) window.addEventListener(name, send, { passive: true })
    return () => {
      for (const name of ['pointermove', 'pointerdown', 'keydown']) window.removeEventListener(name, send)
    }
  }, [active])
}
