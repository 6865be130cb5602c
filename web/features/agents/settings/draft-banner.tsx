// Says that the settings on the screen are not those that customers meet.
import { useState } from 'react'
import { useFormState } from 'react-hook-form'
import type { Agent } from '#shared/agents/agents.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../agent-form.rules.ts'

/** Renders nothing while the newest version is live. With unsaved changes only saving publishes. */
export function DraftBanner({ agent, onPublish }: { agent: Agent; onPublish: () => Promise<void> }) {
  const { t } = useTranslation('agents')
  const { isDirty } = useFormState<AgentForm>()
  const [isBusy, setBusy] = useState(false)
  if (agent.liveVersion >= agent.version) return null
  return (
    <Alert
      tone="warning"
      title={t(($) => $.draft.title, { live: agent.liveVersion, version: agent.version })}
      className="flex-wrap"
      action={
        !isDirty && (
          <Button
            size="sm"
            isBusy={isBusy}
            onClick={() => {
              setBusy(true)
              void onPublish().finally(() => setBusy(false))
            }}
          >
            {t(($) => $.draft.publish, { version: agent.version })}
          </Button>
        )
      }
    >
      {t(($) => (isDirty ? $.draft.bodyDirty : $.draft.body))}
    </Alert>
  )
}
