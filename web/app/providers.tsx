// What every screen stands in: answers cache, session and realtime connection, toasts.
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { queryClient } from '#web/lib/query-client.ts'
import { SessionProvider } from '#web/lib/session.tsx'

/** Providers that need no router. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        {children}
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>
  )
}
