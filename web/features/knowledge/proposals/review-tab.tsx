// "Review": what a space could learn from conversations. A person decides about each.
import type { KnowledgeSpace } from '#shared/knowledge.ts'
import { LearningSwitch } from './learning-switch.tsx'
import { ProposalList } from './proposal-list.tsx'

/** What waits for a decision comes first, the switch below it. */
export function ReviewTab({ space }: { space: KnowledgeSpace }) {
  return (
    <div className="flex flex-col gap-6">
      <ProposalList space={space} />
      <LearningSwitch space={space} />
    </div>
  )
}
