// The field for a new key. What is typed goes to the server and nowhere else.
import { useState } from 'react'
import { type KeyProvider, setAgentKeyInput } from '#shared/agents/agent-keys.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { KeyVerdict, useKeyTest } from './key-test.tsx'
import { providerName } from './provider-names.ts'

type KeyEditorProps = { agent: Agent; provider: KeyProvider; onClose: () => void }

/** Tries a key before or without storing it, stores it, or leaves everything as it was. */
export function KeyEditor({ agent, provider, onClose }: KeyEditorProps) {
  const { t } = useTranslation('agents')
  const store = useAction(api.agents.keys.set, { hasToast: false })
  const trial = useKeyTest(agent, provider)
  const [key, setKey] = useState('')
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const name = providerName(provider)

  /** The key as it may be sent, or the word what is wrong with it. */
  function checked(): string | null {
    const parsed = setAgentKeyInput.shape.key.safeParse(key)
    setError(parsed.success ? undefined : t(($) => $.keys.invalid))
    return parsed.success ? parsed.data : null
  }
  async function save() {
    const entered = checked()
    if (entered === null) return
    setSaving(true)
    try {
      await store({ agentId: agent._id, provider, key: entered })
      toast.success(t(($) => $.keys.saved, { name }))
      onClose()
    } catch (failure) {
      setError(describeError(failure).message)
      setSaving(false)
    }
  }
  async function tryOut() {
    const entered = checked()
    if (entered !== null) await trial.run(entered)
  }

  return (
    // A form of its own cannot stand inside the settings form: Enter is handled here.
    <div className="flex flex-col gap-3">
      <Field label={t(($) => $.keys.label, { name })} hint={t(($) => $.keys.hint)} error={error}>
        <PasswordInput
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={(event) => setKey(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void save()
          }}
        />
      </Field>
      <KeyVerdict verdict={trial.verdict} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" size="sm" isBusy={isSaving} onClick={() => void save()}>
          {t(($) => $.keys.save)}
        </Button>
        <Button size="sm" isBusy={trial.isBusy} onClick={() => void tryOut()}>
          {t(($) => $.keys.test)}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          {t(($) => $.keys.cancel)}
        </Button>
      </div>
    </div>
  )
}
