// /settings/mcp-servers/new: the name and address of a server, and how it authorizes.
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { MCP_AUTHORIZATIONS, type McpAuthorization } from '#shared/tools/mcp-servers.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { useConsent } from './use-consent.ts'

/** A server with OAuth leads on to its consent. */
export function NewServerPage() {
  const { t } = useTranslation('tools')
  return (
    <Page title={t(($) => $.mcp.newTitle)} description={t(($) => $.mcp.newLead)} width="narrow">
      <WritableBy permission="keys.write">
        <NewServer />
      </WritableBy>
    </Page>
  )
}

function NewServer() {
  const { t } = useTranslation('tools')
  const navigate = useNavigate()
  const connect = useAction(api.mcpServers.connect, { hasToast: false })
  const consent = useConsent()
  const [entry, setEntry] = useState({ name: '', url: '', token: '' })
  const [authorization, setAuthorization] = useState<McpAuthorization>('none')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { name, url, token } = entry
    const isBare = name.trim() === '' || url.trim() === '' || (authorization === 'bearer' && token.trim() === '')
    if (isBare) return setError(t(($) => $.mcp.allRequired))
    setBusy(true)
    try {
      const { serverId } = await connect({ name, url, authorization, ...(authorization === 'bearer' && { token }) })
      const isAway = authorization === 'oauth' && (await consent(serverId))
      if (!isAway) void navigate(paths.mcpServer(serverId))
    } catch (failure) {
      setError(describeError(failure).message)
      setBusy(false)
    }
  }
  const control = (key: keyof typeof entry) => ({
    value: entry[key],
    onChange: (event: { target: { value: string } }) => setEntry({ ...entry, [key]: event.target.value }),
    spellCheck: false,
  })
  return (
    <CardSection title={t(($) => $.mcp.about)}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={t(($) => $.mcp.name)} hint={t(($) => $.mcp.nameHint)}>
          <Input {...control('name')} maxLength={60} autoComplete="off" />
        </Field>
        <Field label={t(($) => $.mcp.url)} hint={t(($) => $.mcp.urlHint)}>
          <Input {...control('url')} inputMode="url" autoComplete="off" />
        </Field>
        <RadioGroup
          label={t(($) => $.mcp.authorizes)}
          value={authorization}
          onValueChange={setAuthorization}
          options={MCP_AUTHORIZATIONS.map((value) => ({
            value,
            label: t(($) => $.mcp.authorization[value]),
            hint: t(($) => $.mcp.authorizationHint[value]),
          }))}
        />
        {authorization === 'bearer' && (
          <Field label={t(($) => $.mcp.token)} hint={t(($) => $.mcp.tokenHint)}>
            <Input {...control('token')} type="password" autoComplete="new-password" />
          </Field>
        )}
        {error && (
          <p role="alert" className="text-[0.8125rem] text-destructive-soft-foreground">
            {error}
          </p>
        )}
        <Button type="submit" variant="primary" isBusy={isBusy} className="self-start">
          {t(($) => $.mcp.connect)}
        </Button>
      </form>
    </CardSection>
  )
}
