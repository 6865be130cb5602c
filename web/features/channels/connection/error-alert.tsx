// What is wrong with a connection now.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'

/** `help`: what to do about it. */
type ErrorAlertProps = { connection: ChannelConnection; title: string; help: string }

/** Nothing while nothing is. */
export function ErrorAlert({ connection: { lastError }, title, help }: ErrorAlertProps) {
  if (!lastError) return null
  return (
    <Alert tone="destructive" title={title}>
      <p className="break-words font-mono text-xs">{lastError}</p>
      <p className="mt-1">{help}</p>
    </Alert>
  )
}
