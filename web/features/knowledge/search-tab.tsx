// "Try a question": the tester, as a part of the space page.
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { Tester } from './tester/tester.tsx'

/** The same as /knowledge/rag-tester. */
export function SearchTab({ space }: { space: KnowledgeSpace }) {
  return <Tester space={space} />
}
