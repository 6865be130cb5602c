// What can be done with a document in its state.
import type { DocumentErrorReason, KnowledgeDocument } from '#shared/knowledge/knowledge.ts'

/**
 * What may help after each reason: reading the same file again, where the reason may lie outside of it or passes, or another file,
 * where it lies in this one.
 */
const REMEDIES: Record<DocumentErrorReason, { retry: boolean; version: boolean }> = {
  password_protected: { retry: false, version: true },
  type_mismatch: { retry: false, version: true },
  no_text_layer: { retry: false, version: true },
  unreadable_text_layer: { retry: false, version: true },
  empty: { retry: false, version: true },
  encoding_unsure: { retry: false, version: true },
  invalid_json: { retry: false, version: true },
  // An interrupted upload looks like a damaged file, a server without memory like one that is too large.
  damaged: { retry: true, version: true },
  too_large: { retry: true, version: true },
  timeout: { retry: true, version: true },
  not_started: { retry: true, version: false },
  file_elsewhere: { retry: true, version: true },
  cancelled: { retry: true, version: false },
  failed: { retry: true, version: false },
}

/** Whether another file can take its place now. */
export function canBeReplaced({ status, isSitePage }: Pick<KnowledgeDocument, 'status' | 'isSitePage'>): boolean {
  return !isSitePage && (status === 'ready' || status === 'error')
}

/** Whether the same file may be read after all when it is tried again. */
export function mayRetryHelp(reason: DocumentErrorReason | null): boolean {
  return REMEDIES[reason ?? 'failed'].retry
}

/** What is offered for a document; nothing unless it is in state error. */
export function remediesOf(document: Pick<KnowledgeDocument, 'status' | 'isSitePage' | 'errorReason'>): {
  retry: boolean
  version: boolean
} {
  if (document.status !== 'error') return { retry: false, version: false }
  const { retry, version } = REMEDIES[document.errorReason ?? 'failed']
  return { retry, version: version && canBeReplaced(document) }
}
