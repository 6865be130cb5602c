// What every screen stands in: answers cache, session and realtime connection, toasts.
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { onDatabaseChange, watchDatabase } from '#web/lib/server/database-health.ts'
import { queryClient, refetchFailed } from '#web/lib/server/query-client.ts'
import { SessionProvider } from '#web/lib/sign-in/session.tsx'

/** Providers that need no router. What an outage of the database has failed is loaded again when it is over. */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(watchDatabase, [])
  useEffect(() => onDatabaseChange((isDown) => !isDown && refetchFailed()), [])
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        {children}
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>
  )
}
