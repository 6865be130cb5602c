// Tags of documents, notes and tables, and their validity periods. Searches respect them from the commit on.
import { orgMutation } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { updateMarksInput } from '#shared/knowledge/knowledge-marks.ts'
import { findSource } from '../spaces/sources.store.ts'
import * as store from './source-metadata.store.ts'

/** Changes the fields in the patch. @throws not_found; invalid_validity when the period would end before it begins */
export const update = orgMutation({
  args: updateMarksInput,
  handler: async (ctx, { sourceId, patch }) => {
    const { kind, knowledgeSpaceId } = await findSource(ctx, sourceId)
    const marks = await store.saveMarks(ctx, { kind, knowledgeSpaceId, id: sourceId }, patch)
    const { validFrom, validUntil } = marks
    if (validFrom !== null && validUntil !== null && validUntil <= validFrom) throw new AppError('invalid_validity')
    return marks
  },
})
