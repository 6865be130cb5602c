// What can be done with a document in its state.
import type { KnowledgeDocument } from '#shared/knowledge.ts'

/** Whether another file can take its place now. */
export function canBeReplaced({ status, isSitePage }: Pick<KnowledgeDocument, 'status' | 'isSitePage'>): boolean {
  return !isSitePage && (status === 'ready' || status === 'error')
}
