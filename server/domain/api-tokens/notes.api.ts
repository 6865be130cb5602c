// /api/v1/spaces/:spaceId/notes and /api/v1/notes/:noteId — notes: questions with answers that agents prefer to documents.
import type { Hono } from 'hono'
import * as z from 'zod/mini'
import { getFragment, listFragments } from '#server/domain/knowledge/notes/fragments.store.ts'
import { addFragment, changeFragment, removeFragment } from '#server/domain/knowledge/notes/fragments.write.ts'
import { assertSpace } from '#server/domain/knowledge/spaces/spaces.store.ts'
import type { Id } from '#shared/ids.ts'
import { createFragmentInput } from '#shared/knowledge/knowledge.ts'
import { type ApiEnv, answerWrite, readBody, readPage } from './request.ts'

const replaceNoteInput = z.omit(createFragmentInput, { knowledgeSpaceId: true })

/** Adds the routes. */
export function notesApi(api: Hono<ApiEnv>): void {
  api.get('/spaces/:spaceId/notes', async (c) => {
    const spaceId = c.req.param('spaceId') as Id<'knowledgeSpaces'>
    const page = await c.var.call.read(async (ctx) => {
      await assertSpace(ctx, spaceId)
      return listFragments(ctx, { spaceId }, readPage(c))
    })
    return c.json({ items: page.page, nextCursor: page.isDone ? null : page.continueCursor })
  })

  api.post('/spaces/:spaceId/notes', async (c) => {
    const { content, args } = await readBody(c, createFragmentInput, { knowledgeSpaceId: c.req.param('spaceId') })
    const { knowledgeSpaceId, name, content: text, alsoAskedAs = [] } = args
    return answerWrite(c, content, async (ctx) => {
      return { status: 201, body: await addFragment(ctx, knowledgeSpaceId, { name, content: text, alsoAskedAs }) }
    })
  })

  api.get('/notes/:noteId', async (c) => {
    const id = c.req.param('noteId') as Id<'fragments'>
    const note = await c.var.call.read(async (ctx) => {
      const found = await getFragment(ctx, id)
      await assertSpace(ctx, found.knowledgeSpaceId) // it may be one that was removed
      return found
    })
    return c.json(note)
  })

  api.put('/notes/:noteId', async (c) => {
    const id = c.req.param('noteId') as Id<'fragments'>
    const { content, args } = await readBody(c, replaceNoteInput, {})
    const { name, content: text, alsoAskedAs = [] } = args
    return answerWrite(c, content, async (ctx) => {
      return { status: 200, body: await changeFragment(ctx, id, { name, content: text, alsoAskedAs }) }
    })
  })

  api.delete('/notes/:noteId', (c) => {
    const id = c.req.param('noteId') as Id<'fragments'>
    return answerWrite(c, '', async (ctx) => {
      await removeFragment(ctx, id)
      return { status: 200, body: { removed: true } }
    })
  })
}
