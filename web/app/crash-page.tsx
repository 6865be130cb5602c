// Shown when the application itself cannot be rendered.
import type { FallbackProps } from 'react-error-boundary'
import { BoundaryScreen } from './boundary-screen.tsx'

/** Stands outside the router, so home is a plain link. */
export function CrashPage({ error }: FallbackProps) {
  return <BoundaryScreen kind="crash" error={error} hasBack={false} />
}
