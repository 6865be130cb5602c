// How a server accepts us, when its tools were seen last, and what to do where it does not.
import { type FormEvent, useState } from 'react'
import type { McpServer } from '#shared/tools/mcp-servers.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { ServerState } from './server-state.tsx'
import { useConsent } from './use-consent.ts'

/** With the button that mends what is wrong. */
export function AccessSection({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const { t: why } = useTranslation('why')
  const { status, failure, refreshedAt, authorization } = server
  return (
    <CardSection title={t(($) => $.mcp.access)} description={t(($) => $.mcp.authorization[authorization])}>
      <div className="flex flex-col gap-4">
        {status !== 'connected' && (
          <Alert tone={status === 'pending' ? 'info' : 'destructive'}>{t(($) => $.mcp.statusHint[status])}</Alert>
        )}
        {status === 'connected' && failure !== null && (
          <Alert tone="destructive" title={t(($) => $.mcp.failing)}>
            {why(($) => $.tools.failure[failure])}
          </Alert>
        )}
        <p className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-muted-foreground">
          {refreshedAt === null ? (
            t(($) => $.mcp.neverSeen)
          ) : (
            <span>
              {t(($) => $.mcp.seen)} <RelativeTime at={refreshedAt} />
            </span>
          )}
          <ServerState server={server} />
        </p>
        <div className="flex flex-wrap gap-2">
          {authorization === 'oauth' && <ConsentButton server={server} />}
          {status !== 'pending' && <RefreshButton server={server} />}
        </div>
        {authorization === 'bearer' && <SetToken server={server} />}
      </div>
    </CardSection>
  )
}

function ConsentButton({ server: { _id, status } }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const consent = useConsent()
  const [isBusy, setBusy] = useState(false)
  const leave = async () => {
    setBusy(true)
    if (!(await consent(_id))) setBusy(false)
  }
  return (
    <Button variant={status === 'connected' ? 'secondary' : 'primary'} isBusy={isBusy} onClick={() => void leave()}>
      {status === 'pending' ? t(($) => $.mcp.authorize) : t(($) => $.mcp.authorizeAgain)}
    </Button>
  )
}

function RefreshButton({ server: { _id } }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const refresh = useAction(api.mcpServers.refresh)
  const [isBusy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    await refresh({ serverId: _id }).catch(() => undefined) // reported in a toast
    setBusy(false)
  }
  return (
    <Button isBusy={isBusy} onClick={() => void look()}>
      {t(($) => $.mcp.refresh)}
    </Button>
  )
}

function SetToken({ server: { _id } }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const set = useAction(api.mcpServers.setToken, { hasToast: false })
  const [token, setToken] = useState('')
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (token.trim() === '') return setError(t(($) => $.form.required))
    try {
      await set({ serverId: _id, token })
      setToken('')
      setError(undefined)
    } catch (failure) {
      setError(describeError(failure).message)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-wrap items-start gap-3">
      <Field
        className="min-w-0 flex-1 basis-56"
        label={t(($) => $.mcp.newToken)}
        hint={t(($) => $.mcp.tokenHint)}
        error={error}
      >
        <Input
          value={token}
          onChange={(event) => setToken(event.target.value)}
          type="password"
          autoComplete="new-password"
          spellCheck={false}
        />
      </Field>
      <Button type="submit" className="mt-7">
        {t(($) => $.mcp.setToken)}
      </Button>
    </form>
  )
}
