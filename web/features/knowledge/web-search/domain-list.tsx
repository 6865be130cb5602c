// The domains to which a space limits its web searches.
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { WebSearchSettings } from '#shared/agents/web-search.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

/** Invalid and duplicate domains are explained next to the field. */
export function DomainList({ settings: { knowledgeSpaceId, domains } }: { settings: WebSearchSettings }) {
  const { t } = useTranslation('web-search')
  const add = useMutation(api.knowledge.webSearch.addDomain, { hasToast: false })
  const remove = useMutation(api.knowledge.webSearch.removeDomain)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  async function submit() {
    if (typed.trim() === '') return setProblem(t(($) => $.domains.required))
    try {
      await add({ knowledgeSpaceId, domain: typed })
      setTyped('')
      setProblem(undefined)
    } catch (error) {
      setProblem(describeError(error).message)
    }
  }
  return (
    <Card className="flex flex-col gap-4 p-5">
      <div>
        <h2 className="font-semibold">{t(($) => $.domains.title)}</h2>
        <p className="text-[0.8125rem] text-muted-foreground">
          {domains.length === 0 ? t(($) => $.domains.none) : t(($) => $.domains.some)}
        </p>
      </div>
      {domains.length > 0 && (
        <ul aria-label={t(($) => $.domains.title)} className="flex flex-wrap gap-2">
          {domains.map(({ domain, name }) => (
            <li key={domain} className="flex items-center gap-1 rounded-lg border border-border ps-3">
              <span className="break-all">{name}</span>
              <Button
                size="icon-sm"
                variant="ghost"
                aria-label={t(($) => $.domains.remove, { name })}
                onClick={() => void remove({ knowledgeSpaceId, domain }).catch(() => undefined)} // reported in a toast
              >
                <X aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        noValidate
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field label={t(($) => $.domains.label)} error={problem} className="w-full max-w-md">
          <Input
            value={typed}
            autoComplete="off"
            placeholder="example.com"
            onChange={(event) => {
              setTyped(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <Button type="submit" className="mt-6.5">
          <Plus aria-hidden="true" />
          {t(($) => $.domains.add)}
        </Button>
      </form>
    </Card>
  )
}
