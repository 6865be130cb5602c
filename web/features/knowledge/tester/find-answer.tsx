// Labels a question whose passage the search has missed: the user searches for the passage by its own words, and marks it.
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { KnowledgeSpace, SearchResult } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { MarkAnswer } from './mark-answer.tsx'

type FindAnswerProps = { space: KnowledgeSpace; question: string }

const WORDS_MAX = 2000

/** A button, and the dialog that it opens. */
export function FindAnswer({ space, question }: FindAnswerProps) {
  const { t } = useTranslation('rag-tester')
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog open={isOpen} onOpenChange={setOpen}>
      <Button size="sm" className="self-start" onClick={() => setOpen(true)}>
        <Search aria-hidden="true" />
        {t(($) => $.find.open)}
      </Button>
      {isOpen && (
        <DialogContent title={t(($) => $.find.title)} description={t(($) => $.find.description, { question })}>
          <Finder space={space} question={question} />
        </DialogContent>
      )}
    </Dialog>
  )
}

function Finder({ space, question }: FindAnswerProps) {
  const { t } = useTranslation('rag-tester')
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const found: SearchResult[] | undefined = useQuery(
    api.knowledge.search.run,
    words ? { knowledgeSpaceId: space._id, query: words } : 'skip',
  )
  function look(event: FormEvent) {
    event.preventDefault()
    setWords(typed.trim())
  }
  return (
    <>
      <form noValidate className="flex items-end gap-2" onSubmit={look}>
        <Field label={t(($) => $.find.words)} className="flex-1">
          <Input type="search" value={typed} maxLength={WORDS_MAX} onChange={({ target }) => setTyped(target.value)} />
        </Field>
        <Button type="submit" variant="primary" disabled={!typed.trim()}>
          {t(($) => $.find.look)}
        </Button>
      </form>
      <Found found={words ? found : []} words={words} space={space} question={question} />
    </>
  )
}

type FoundProps = FindAnswerProps & { found: SearchResult[] | undefined; words: string }

/** Announces the number of results after each search. */
function Found({ found, words, space, question }: FoundProps) {
  const { t } = useTranslation('rag-tester')
  const countText = (count: number) => (count > 0 ? t(($) => $.results.count, { count }) : t(($) => $.find.none))
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-muted-foreground empty:hidden">
        {words && found && countText(found.length)}
      </p>
      {!found && (
        <Delayed>
          <Skeleton className="h-24 rounded-xl" />
        </Delayed>
      )}
      <ul className="divide-y divide-border">
        {found?.map((result) => (
          <li key={result.id} className="flex flex-col items-start gap-2 py-3">
            <span className="max-w-full truncate font-medium">{result.metadata.source}</span>
            <p className="line-clamp-4 whitespace-pre-wrap break-words text-[0.8125rem]">{result.content}</p>
            <MarkAnswer space={space} question={question} result={result} />
          </li>
        ))}
      </ul>
    </div>
  )
}
