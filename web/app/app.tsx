// The whole client: crash page, providers, router.
import { ErrorBoundary } from 'react-error-boundary'
import { RouterProvider } from 'react-router'
import { followRouter } from '#web/lib/sign-in/asked-address.ts'
import { watchReturns } from '#web/lib/sign-in/workplace.ts'
import { CrashPage } from './crash-page.tsx'
import { Providers } from './providers.tsx'
import { createRouter } from './router.tsx'

const router = createRouter()
followRouter(router)
watchReturns()

/** Everything below the root element. */
export function App() {
  return (
    <ErrorBoundary FallbackComponent={CrashPage}>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </ErrorBoundary>
  )
}
