// Looks, once for each page, what became of the replies and notes that an earlier page was sending when it was closed or reloaded.
import { useEffect } from 'react'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { settleLeft } from './sending.ts'
import { useTellUnsent } from './use-writing.ts'

/** Shows nothing by itself. */
export function UnsentWatcher() {
  const { _id: me } = useCurrentUser()
  const tell = useTellUnsent()
  useEffect(() => void settleLeft(me, tell), [me, tell])
  return null
}
