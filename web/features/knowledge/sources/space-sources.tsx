// Which sources of a space its agents may use.
import type { KnowledgeSource, KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { SourceSwitches } from './source-switches.tsx'

/** Web search has its own switch, next to its limits. */
const SOURCES: readonly KnowledgeSource[] = ['documents', 'fragments', 'tables']

/** A card of switches that take effect at once. */
export function SpaceSources({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const update = useMutation(api.knowledge.spaces.update)
  return (
    <Card className="flex flex-col gap-3 p-4">
      <div>
        <h2 className="font-medium">{t(($) => $.sources.title)}</h2>
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.sources.hint)}</p>
      </div>
      <SourceSwitches
        sources={SOURCES}
        enabled={space.enabledSources}
        onChange={(enabledSources) => {
          void update({ knowledgeSpaceId: space._id, patch: { enabledSources } }).catch(() => undefined) // reported in a toast
        }}
      />
    </Card>
  )
}
