// Who is signed in here. A user counts as signed in once a session exists and the server has accepted the realtime token.
//
//   loading ──► signedIn ◄──► signedOut
//      ├──────────────────────────▲
//      └──► unreachable
import { ConvexProvider } from 'convex/react'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { EndReason } from '#shared/organizations/security.ts'
import { forgetDrafts } from '#web/lib/browser/draft.ts'
import { convexClient, muteAuth, startAuth, stopAuth } from '#web/lib/server/convex.ts'
import { untilDatabaseAnswers } from '#web/lib/server/database-health.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { forgetEntities } from '#web/lib/server/slug-cache.ts'
import { spendSecret } from './address-secrets.ts'
import * as auth from './auth.ts'
import { takeEndReason } from './end-reason.ts'
import { forgetWorkplace } from './workplace.ts'

export type SessionState =
  | { status: 'loading' | 'signedIn' | 'unreachable' }
  /** `absent`: there was none · `expired`: it was lost · `asked`: the person signed out. */
  | { status: 'signedOut'; cause: 'absent' | 'asked' }
  /** `reason`: as the server answered; null: it knows none. */
  | { status: 'signedOut'; cause: 'expired'; reason: EndReason | null }
type SessionControls = SessionState & {
  /** Call after a successful sign-in or sign-up. Resolves with whether the server has accepted the session. */
  begin: () => Promise<boolean>
  /** Ends the session. @throws HttpError when the service refuses */
  end: () => Promise<void>
}

const SessionContext = createContext<SessionControls | null>(null)

/** Finds the session at start (a one-time token in the URL first) and keeps the connection signed in. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SessionState>({ status: 'loading' })
  const begin = useBegin(setState)
  const hasStarted = useRef(false)

  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    void startUntilAnswered(begin, setState)
  }, [begin])

  const end = useCallback(async () => {
    const unmute = muteAuth()
    await auth.signOut().catch((error: unknown) => {
      unmute()
      throw error
    })
    stopAuth()
    queryClient.clear()
    forgetEntities()
    forgetDrafts()
    forgetWorkplace()
    setState({ status: 'signedOut', cause: 'asked' })
  }, [])

  const controls = useMemo(() => ({ ...state, begin, end }), [state, begin, end])
  return (
    <ConvexProvider client={convexClient}>
      <SessionContext value={controls}>{children}</SessionContext>
    </ConvexProvider>
  )
}

/** The session and what can be done with it. */
export function useSession(): SessionControls {
  const controls = use(SessionContext)
  if (!controls) throw new Error('useSession needs a SessionProvider')
  return controls
}

function useBegin(setState: (state: SessionState) => void): () => Promise<boolean> {
  return useCallback(
    () =>
      new Promise((resolve) => {
        startAuth((isAuthenticated) => {
          setState(isAuthenticated ? { status: 'signedIn' } : lost())
          resolve(isAuthenticated)
        })
      }),
    [setState],
  )
}

function lost(): SessionState {
  return { status: 'signedOut', cause: 'expired', reason: takeEndReason() }
}

/** The server may know why the session is gone that this browser had. */
function absent(): SessionState {
  const reason = takeEndReason()
  return reason ? { status: 'signedOut', cause: 'expired', reason } : { status: 'signedOut', cause: 'absent' }
}

/** Again and again while the server or its database does not answer. */
async function startUntilAnswered(begin: () => Promise<boolean>, setState: (state: SessionState) => void) {
  await exchangeOneTimeToken()
  for (;;) {
    try {
      if (await auth.getSession()) await begin()
      else setState(absent())
      return
    } catch {
      setState({ status: 'unreachable' })
      await untilDatabaseAnswers()
    }
  }
}

/** Exchanges the one-time token that came in the address. A refused one is ignored. */
async function exchangeOneTimeToken(): Promise<void> {
  const token = spendSecret('ott')
  if (token !== null) await auth.verifyOneTimeToken(token).catch(() => undefined)
}
