// "Review": what a space could learn from conversations, where its texts disagree, and which answers had no grounds. People decide.
import type { KnowledgeSpace } from '#shared/knowledge.ts'
import { LearningSwitch } from './learning-switch.tsx'
import { PairList } from './pair-list.tsx'
import { ProposalList } from './proposal-list.tsx'
import { UnfoundedList } from './unfounded-list.tsx'

/** What waits for a decision comes first. */
export function ReviewTab({ space }: { space: KnowledgeSpace }) {
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-4">
        <ProposalList space={space} />
        <LearningSwitch space={space} />
      </div>
      <PairList space={space} />
      <UnfoundedList space={space} />
    </div>
  )
}
