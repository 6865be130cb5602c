// Resolves an id or a slug in a URL to the agent or knowledge space it names.
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import { type Id, isAgentId, isKnowledgeSpaceId } from '#shared/ids.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useMutation, useQuery } from './convex.ts'
import { type EntityKind, type EntityNames, recallEntity, rememberEntity } from './slug-cache.ts'

/** `idle` without an identifier; `loading` may already know the name from the slug cache. */
export type Lookup<Entity> =
  | { state: 'idle'; entity: undefined; name: undefined }
  | { state: 'loading'; entity: undefined; name: string | undefined }
  | { state: 'ready'; entity: Entity; name: string }

/**
 * The agent with an id or slug, live. An id in the URL is replaced by the slug and reported.
 *
 * @throws not_found or agent_unavailable while rendering, for the error boundary of the page
 */
export function useAgent(identifier: string | undefined): Lookup<Agent> {
  const organizationId = useOrganization()._id
  const agent = useAgentQuery(identifier, organizationId)
  const isId = identifier !== undefined && isAgentId(identifier)
  return useLookup('agent', organizationId, identifier, isId, agent)
}

/** The knowledge space with an id or slug; otherwise like useAgent. @throws not_found while rendering */
export function useKnowledgeSpace(identifier: string | undefined): Lookup<KnowledgeSpace> {
  const organizationId = useOrganization()._id
  const space = useSpaceQuery(identifier, organizationId)
  const isId = identifier !== undefined && isKnowledgeSpaceId(identifier)
  return useLookup('knowledgeSpace', organizationId, identifier, isId, space)
}

/**
 * Name and slug of an agent or space, for use outside its page: the URL is not replaced, nothing is reported.
 * From the slug cache at once when known; undefined while loading. @throws not_found while rendering
 */
export function useEntityNames(kind: EntityKind, identifier: string | undefined): EntityNames | undefined {
  const organizationId = useOrganization()._id
  const agent = useAgentQuery(kind === 'agent' ? identifier : undefined, organizationId)
  const space = useSpaceQuery(kind === 'knowledgeSpace' ? identifier : undefined, organizationId)
  if (identifier === undefined) return undefined
  return agent ?? space ?? recallEntity(kind, organizationId, identifier)
}

function useAgentQuery(identifier: string | undefined, organizationId: Id<'organizations'>): Agent | undefined {
  return useQuery(api.agents.get, identifier === undefined ? 'skip' : agentArgs(identifier, organizationId))
}

function agentArgs(identifier: string, organizationId: Id<'organizations'>) {
  return isAgentId(identifier) ? { id: identifier } : { slug: identifier, organizationId }
}

function useSpaceQuery(
  identifier: string | undefined,
  organizationId: Id<'organizations'>,
): KnowledgeSpace | undefined {
  const isId = identifier !== undefined && isKnowledgeSpaceId(identifier)
  const byId: KnowledgeSpace | undefined = useQuery(
    api.knowledge.spaces.get,
    isId ? { knowledgeSpaceId: identifier } : 'skip',
  )
  const bySlug: KnowledgeSpace | undefined = useQuery(
    api.knowledge.spaces.getBySlug,
    identifier === undefined || isId ? 'skip' : { slug: identifier, organizationId },
  )
  return byId ?? bySlug
}

function useLookup<Entity extends EntityNames>(
  kind: EntityKind,
  organizationId: string,
  identifier: string | undefined,
  isId: boolean,
  entity: Entity | undefined,
): Lookup<Entity> {
  useEffect(() => {
    if (entity) rememberEntity(kind, organizationId, entity)
  }, [kind, organizationId, entity])
  useSlugInUrl(kind, isId ? identifier : undefined, entity)
  if (identifier === undefined) return { state: 'idle', entity: undefined, name: undefined }
  if (entity) return { state: 'ready', entity, name: entity.name }
  return { state: 'loading', entity: undefined, name: recallEntity(kind, organizationId, identifier)?.name }
}

/** Replaces an id in path or query by the slug, and reports that an id was used; a failed report is ignored. */
function useSlugInUrl(kind: EntityKind, id: string | undefined, entity: EntityNames | undefined): void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const record = useMutation(api.analytics.recordSlugFallback, { hasToast: false })
  const slug = entity?.slug
  useEffect(() => {
    if (!id || !slug || !`${pathname}${search}`.includes(id)) return
    record({ type: kind, identifier: id, slug, pathname, search, source: 'url' }).catch(() => undefined)
    void navigate(`${pathname}${search}`.replaceAll(id, encodeURIComponent(slug)), { replace: true })
  }, [id, slug, kind, pathname, search, navigate, record])
}
