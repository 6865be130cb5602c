// What a tool says of itself: as it is, or as it has changed since it was allowed.
import type { McpTool, McpToolTexts } from '#shared/tools/mcp-servers.ts'
import { api } from '#web/api.ts'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { TextDiff } from '#web/components/ui/text-diff.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Loaded when it is looked at. */
export function ToolTexts({ tool }: { tool: McpTool }) {
  const { t } = useTranslation('tools')
  const texts: McpToolTexts | undefined = useQuery(api.mcpServers.tools.texts, { toolId: tool._id })
  if (!texts) return <Skeleton className="h-24" />
  const { latest, pinned } = texts
  const before = tool.state === 'changed' && pinned ? pinned : latest
  return (
    <dl className="flex flex-col gap-2 text-[0.8125rem]">
      <div>
        <dt className="text-muted-foreground">{t(($) => $.mcp.modelName)}</dt>
        <dd>
          <code className="break-all">{tool.modelName}</code>
        </dd>
      </div>
      {(['description', 'schema'] as const).map((part) => (
        <div key={part}>
          <dt className="mb-1 text-muted-foreground">{t(($) => $.mcp.text[part])}</dt>
          <dd>
            <TextDiff before={before[part]} after={latest[part]} label={t(($) => $.mcp.text[part])} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
