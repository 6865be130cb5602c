// The tester of a space: try a question, see what was asked for real, what was not found, and how a set of questions does.
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { AskedLog } from './asked-log.tsx'
import { GapList } from './gap-list.tsx'
import { TestSet } from './test-set.tsx'
import { TryQuestion } from './try-question.tsx'

const VIEWS = ['try', 'log', 'gaps', 'set'] as const

/** The view (`?view=`), the question (`?q=`) and the stages that are off (`?off=`) are in the URL, so a link restores them. */
export function Tester({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('rag-tester')
  const [{ view }, setState] = useQueryStates({
    view: parseAsStringLiteral(VIEWS).withDefault('try'),
    q: parseAsString,
  })
  return (
    <Tabs value={view} onValueChange={(next) => void setState({ view: VIEWS.find((each) => each === next) ?? null })}>
      <TabsList aria-label={t(($) => $.views.label)}>
        {VIEWS.map((each) => (
          <TabsTrigger key={each} value={each}>
            {t(($) => $.views[each])}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value="try">
        <TryQuestion space={space} />
      </TabsContent>
      <TabsContent value="log">
        <AskedLog space={space} onTry={(q) => void setState({ q, view: null }, { history: 'push' })} />
      </TabsContent>
      <TabsContent value="gaps">
        <GapList space={space} onTry={(q) => void setState({ q, view: null }, { history: 'push' })} />
      </TabsContent>
      <TabsContent value="set">
        <TestSet space={space} onTry={(q) => void setState({ q, view: null }, { history: 'push' })} />
      </TabsContent>
    </Tabs>
  )
}
