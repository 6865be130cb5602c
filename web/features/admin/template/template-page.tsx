// /admin/template: what every agent is given before its own instructions.
import type { TemplateVersion } from '#shared/organizations/prompt-template.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useQuery } from '#web/lib/server/convex.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { TemplateForm } from './template-form.tsx'
import { VersionsSection } from './versions-section.tsx'

/** Live: a change by a colleague is seen at once, and does not undo what is being typed. */
export function TemplatePage() {
  const current: TemplateVersion | null | undefined = useQuery(api.admin.template.get, {})
  return (
    <AdminLayout tab="template">
      {current === undefined ? (
        <Delayed>
          <Skeleton className="h-64" />
        </Delayed>
      ) : (
        <>
          <TemplateForm current={current} />
          <VersionsSection current={current} />
        </>
      )}
    </AdminLayout>
  )
}
