// What one agent would be given with a text of the template.
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

type Example = { _id: Id<'agents'>; agent: string; organization: string }

/** Of the agents changed last, the first is shown at once. */
export function PreviewDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const agents: Example[] | undefined = useQuery(api.admin.template.agents, {})
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = agents?.find(({ _id }) => _id === chosen) ?? agents?.[0]
  const preview: { text: string } | undefined = useQuery(
    api.admin.template.preview,
    shown ? { text, agentId: shown._id } : 'skip',
  )
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t(($) => $.template.previewTitle)}>
        {agents?.length === 0 ? (
          <p>{t(($) => $.template.noAgents)}</p>
        ) : (
          <div className="flex flex-col gap-4">
            <Field label={t(($) => $.template.agent)}>
              <Select
                value={shown?._id ?? ''}
                onValueChange={setChosen}
                options={(agents ?? []).map(({ _id, agent, organization }) => ({
                  value: _id,
                  label: agent,
                  hint: organization,
                }))}
              />
            </Field>
            {preview ? (
              <section
                aria-label={t(($) => $.template.previewTitle)}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
                tabIndex={0}
                className="max-h-[50dvh] overflow-auto whitespace-pre-wrap break-words rounded-lg bg-muted p-4 text-sm"
              >
                {preview.text}
              </section>
            ) : (
              <Delayed>
                <Skeleton className="h-40" />
              </Delayed>
            )}
          </div>
        )}
      </DialogContent>
    </Dialog>
  )
}
