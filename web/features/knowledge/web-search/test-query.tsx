// "Try a search": what agents would find on the web, right now.
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import type { WebHit, WebSearchSettings, WebSearchState } from '#shared/agents/web-search.ts'
import { WEB_QUERY_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'

type TestQueryProps = { settings: WebSearchSettings; state: WebSearchState; onSearched: () => void }

/** Works before agents may search too. Counted like a search of theirs. */
export function TestQuery({ settings: { knowledgeSpaceId }, state, onSearched }: TestQueryProps) {
  const { t } = useTranslation('web-search')
  const test = useAction(api.knowledge.webSearch.test, { hasToast: false })
  const [query, setQuery] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [hits, setHits] = useState<WebHit[]>()
  async function run() {
    if (query.trim() === '') return setProblem(t(($) => $.test.required))
    setBusy(true)
    setFailure(undefined)
    try {
      setHits(await test({ knowledgeSpaceId, query }))
    } catch (error) {
      setHits(undefined)
      setFailure(describeError(error).message)
    }
    setBusy(false)
    onSearched()
  }
  return (
    <Card className="flex flex-col gap-4 p-5">
      <form
        noValidate
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Field
          label={t(($) => $.test.label)}
          hint={t(($) => $.test.hint)}
          error={problem}
          className="w-full"
          isRequired
        >
          <Input
            type="search"
            value={query}
            maxLength={WEB_QUERY_MAX}
            placeholder={t(($) => $.test.placeholder)}
            onChange={(event) => {
              setQuery(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <Button type="submit" variant="primary" className="mt-6.5" isBusy={isBusy} disabled={!state.provider}>
          {t(($) => $.test.run)}
        </Button>
      </form>
      {failure && (
        <Alert tone="destructive" title={t(($) => $.test.failed)}>
          {failure}
        </Alert>
      )}
      {hits && <Hits hits={hits} />}
    </Card>
  )
}

function Hits({ hits }: { hits: WebHit[] }) {
  const { t } = useTranslation('web-search')
  if (hits.length === 0) {
    return (
      <EmptyState icon={SearchX} title={t(($) => $.test.nothingTitle)} description={t(($) => $.test.nothingBody)} />
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-muted-foreground">
        {t(($) => $.test.found, { count: hits.length })}
      </p>
      <ol className="flex flex-col gap-3">
        {hits.map(({ url, title, text }) => (
          <li key={url} className="rounded-lg border border-border p-3">
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="break-words font-medium underline-offset-4 hover:underline"
            >
              {title}
            </a>
            <p className="truncate text-muted-foreground text-xs">{url}</p>
            <p className="mt-1 line-clamp-3 whitespace-pre-wrap break-words">{text}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}
