// /settings/tools/:toolId: one tool, or a new one: what it calls and how, and a trial of it.

import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { HttpTool } from '#shared/tools/tools.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { May, WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { ToolEditor } from './tool-editor.tsx'
import { ToolTrial } from './tool-trial.tsx'

/** The form is recreated for another tool, and when a colleague has saved this one. */
export function ToolPage() {
  const { t } = useTranslation('tools')
  const { t: why } = useTranslation('why')
  const { toolId } = useParams()
  const tools: HttpTool[] | undefined = useQuery(api.tools.list, {})
  const isNew = toolId === 'new'
  const tool = tools?.find(({ _id }) => _id === toolId)
  const title = tool?.name ?? (isNew ? t(($) => $.form.newTitle) : t(($) => $.list.title))
  return (
    <Page title={title} width="narrow" actions={tool && <RemoveButton tool={tool} />}>
      {!tools && (
        <Delayed>
          <Skeleton className="h-64 rounded-xl" />
        </Delayed>
      )}
      {tools && !tool && !isNew && <EmptyState icon={SearchX} title={t(($) => $.form.gone)} />}
      {tool?.failing && (
        <Alert tone="destructive" title={t(($) => $.list.failing, { count: tool.failing.times })}>
          {why(($) => $.tools.failure[tool.failing?.failure ?? 'unreachable'])}
        </Alert>
      )}
      {tools && (tool || isNew) && (
        <WritableBy permission="agents.write">
          <ToolEditor key={tool ? `${tool._id}-${tool.updatedAt}` : 'new'} tool={tool} />
          {tool && <ToolTrial key={`trial-${tool.updatedAt}`} tool={tool} />}
        </WritableBy>
      )}
    </Page>
  )
}

function RemoveButton({ tool }: { tool: HttpTool }) {
  const { t } = useTranslation('tools')
  const navigate = useNavigate()
  const remove = useMutation(api.tools.remove)
  const [isAsking, setAsking] = useState(false)
  return (
    <May need="agents.write">
      <Button onClick={() => setAsking(true)}>{t(($) => $.form.delete)}</Button>
      {isAsking && (
        <ConfirmDialog
          title={t(($) => $.form.deleteTitle, { name: tool.name })}
          description={t(($) => $.form.deleteBody)}
          confirmLabel={t(($) => $.form.delete)}
          onConfirm={async () => {
            await remove({ toolId: tool._id })
            void navigate(paths.tools)
          }}
          onClose={() => setAsking(false)}
          isDestructive
        />
      )}
    </May>
  )
}
