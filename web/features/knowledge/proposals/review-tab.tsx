// "Review": what a space could learn from conversations, where its texts disagree, and which answers had no grounds. People decide.
import { Link } from 'react-router'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { LearningSwitch } from './learning-switch.tsx'
import { PairList } from './pair-list.tsx'
import { ProposalList } from './proposal-list.tsx'
import { UnfoundedList } from './unfounded-list.tsx'

/** What waits for a decision comes first. */
export function ReviewTab({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('proposals')
  return (
    <div className="flex flex-col gap-8">
      <Link to="?part=search&view=gaps" className="self-start text-sm underline underline-offset-4">
        {t(($) => $.gaps)}
      </Link>
      <div className="flex flex-col gap-4">
        <ProposalList space={space} />
        <LearningSwitch space={space} />
      </div>
      <PairList space={space} />
      <UnfoundedList space={space} />
    </div>
  )
}
