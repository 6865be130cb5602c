// Settings: keys of model providers that the agent has of its own. They act at once and are never shown again.
import { useState } from 'react'
import { type AgentKey, KEY_PROVIDERS, type KeyProvider } from '#shared/agents/agent-keys.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { FoldedSection } from '../section.tsx'
import { KeyEditor } from './key-editor.tsx'
import { KeyVerdict, useKeyTest } from './key-test.tsx'
import { providerName } from './provider-names.ts'
import { useMediaProviders } from './use-media-providers.ts'

/** One row for each provider. */
export function KeysSection({ agent, keys }: { agent: Agent; keys: AgentKey[] }) {
  const { t } = useTranslation('agents')
  const names = keys.map(({ provider, maskedKey }) => `${providerName(provider)} ${maskedKey}`)
  return (
    <FoldedSection id="keys" summary={names.join(', ') || t(($) => $.keys.none)} isSet={names.length > 0}>
      <OwnServerNote />
      <ul className="divide-y divide-border rounded-lg border border-border">
        {KEY_PROVIDERS.map((provider) => (
          <ProviderRow
            key={provider}
            agent={agent}
            provider={provider}
            stored={keys.find((key) => key.provider === provider)}
          />
        ))}
      </ul>
    </FoldedSection>
  )
}

/** Where keys of OpenAI go on this installation. */
function OwnServerNote() {
  const { t } = useTranslation('agents')
  return useMediaProviders()?.hasOwnOpenAi ? <Alert>{t(($) => $.keys.ownServer)}</Alert> : null
}

type ProviderRowProps = { agent: Agent; provider: KeyProvider; stored: AgentKey | undefined }

function ProviderRow({ agent, provider, stored }: ProviderRowProps) {
  const { t } = useTranslation('agents')
  const [isEditing, setEditing] = useState(false)
  const name = providerName(provider)
  const trial = useKeyTest(agent, provider)
  return (
    <li className="flex flex-col gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-medium">{name}</p>
          <p className="text-[0.8125rem] text-muted-foreground">
            {stored ? <span className="font-mono">{stored.maskedKey}</span> : t(($) => $.keys.notSet)}
            {' · '}
            {t(($) => $.keys.covers[provider])}
          </p>
        </div>
        {!isEditing && (
          <div className="flex flex-wrap gap-2">
            {stored && (
              <Button
                size="sm"
                isBusy={trial.isBusy}
                aria-label={t(($) => $.keys.testNamed, { name })}
                onClick={() => void trial.run()}
              >
                {t(($) => $.keys.test)}
              </Button>
            )}
            <Button
              size="sm"
              aria-label={t(($) => (stored ? $.keys.replaceNamed : $.keys.addNamed), { name })}
              onClick={() => setEditing(true)}
            >
              {t(($) => (stored ? $.keys.replace : $.keys.add))}
            </Button>
            {stored && <RemoveButton agent={agent} provider={provider} />}
          </div>
        )}
      </div>
      {isEditing ? (
        <KeyEditor agent={agent} provider={provider} onClose={() => setEditing(false)} />
      ) : (
        <KeyVerdict verdict={trial.verdict} />
      )}
    </li>
  )
}

function RemoveButton({ agent, provider }: { agent: Agent; provider: KeyProvider }) {
  const { t } = useTranslation('agents')
  const remove = useMutation(api.agents.keys.remove)
  const [isAsking, setAsking] = useState(false)
  const name = providerName(provider)
  async function confirm() {
    setAsking(false)
    await remove({ agentId: agent._id, provider })
    toast.success(t(($) => $.keys.removed, { name }))
  }
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={t(($) => $.keys.removeNamed, { name })}
        onClick={() => setAsking(true)}
      >
        {t(($) => $.keys.remove)}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t(($) => $.keys.removeTitle, { name })}
        description={t(($) => $.keys.removeBody)}
        confirmLabel={t(($) => $.keys.remove)}
        onConfirm={() => void confirm().catch(() => undefined)}
        isDestructive
      />
    </>
  )
}
