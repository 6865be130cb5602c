// Keeps what cannot be drawn to the part of the page where it stands.
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useTranslation } from '#web/lib/i18n.ts'
import { refusalData } from '#web/lib/refusal.ts'

type PartBoundaryProps = {
  children: ReactNode
  /** The words of the part, shown plainly in its place. */
  text?: string | undefined
  /** Stands in place of words and note, for a part that is a list item or is better left out. */
  fallback?: ReactNode
  /** Drawing is tried again when one of these changes. */
  resetKeys?: unknown[]
}

/** Shows the plain words of a part that throws while it is drawn. Refusals of the server stay the page's. */
export function PartBoundary({ children, text, fallback, resetKeys }: PartBoundaryProps) {
  return (
    <ErrorBoundary
      {...(resetKeys && { resetKeys })}
      fallbackRender={({ error }) => {
        if (refusalData(error)) throw error
        return fallback === undefined ? <Undrawn text={text} /> : fallback
      }}
    >
      {children}
    </ErrorBoundary>
  )
}

/** The plain words of something that cannot be drawn, and that it cannot. */
export function Undrawn({ text }: { text?: string | undefined }) {
  const { t } = useTranslation()
  return (
    <div className="min-w-0 max-w-full">
      {text && <p className="whitespace-pre-wrap break-words leading-relaxed">{text}</p>}
      <p className="text-muted-foreground text-xs leading-5">{t(($) => $.undrawn)}</p>
    </div>
  )
}
