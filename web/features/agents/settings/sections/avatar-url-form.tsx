// A picture by its address: the server fetches it once and keeps a copy of its own.
import { useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** Saves at once; `onLoaded` is given the address under which the copy is served. */
export function AvatarUrlForm({ agent, onLoaded }: { agent: Agent; onLoaded: (avatar: string | null) => void }) {
  const { t } = useTranslation('agents')
  const load = useAction(api.agents.loadAvatar, { hasToast: false })
  const [url, setUrl] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit() {
    if (!URL.canParse(url) || !url.startsWith('https://')) return setError(t(($) => $.avatar.urlInvalid))
    setBusy(true)
    setError(undefined)
    try {
      const saved: Agent = await load({ id: agent._id, url })
      onLoaded(saved.avatar)
      setUrl('')
      toast.success(t(($) => $.avatar.loaded))
    } catch (failure) {
      setError(describeError(failure).message)
    } finally {
      setBusy(false)
    }
  }

  return (
    // A form of its own cannot stand inside the settings form: Enter is handled here.
    <div className="flex flex-col gap-3">
      <Field label={t(($) => $.avatar.urlLabel)} hint={t(($) => $.avatar.urlHint)} error={error}>
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder={t(($) => $.avatar.urlPlaceholder)}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void submit()
          }}
        />
      </Field>
      <Button className="self-start" isBusy={isBusy} onClick={submit}>
        {t(($) => $.avatar.load)}
      </Button>
    </div>
  )
}
