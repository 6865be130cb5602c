// SQL of an agent as it answers: its settings, keys, knowledge and calendar, in the statement that asks for it.
import { sql } from 'kysely'
import type { Turn } from './turn.ts'

/** As the statement gives it: the settings are a text, which is parsed once for all turns that have the same. */
export type AgentFacts = Omit<Turn['agent'], 'settings'> & { settings: string }

/** Of the agent `a` and its version `v`; stands in a statement with `withSpaces`. */
export const agentFacts = sql<AgentFacts>`json_build_object('id', a.id, 'name', a.name, 'version', v.number, 'isDraft', v.number <> a.live_version,
        'settings', v.settings::text, 'isDeleted', a.deleted_at is not null,
        'spaceIds', k.ids, 'disabledSources', k.disabled_sources, 'tags', k.tags, 'languages', k.languages,
        'keys', (select coalesce(json_object_agg(own.provider, own.key), '{}') from agent_keys own
          where own.organization_id = a.organization_id and own.agent_id = a.id),
        'lacksCalendar', calendar.lost_at is not null, 'hasCalendar', calendar.id is not null and calendar.lost_at is null,
        'reminders', (select s.customer_reminders from calendar_settings s where s.organization_id = a.organization_id and s.agent_id = a.id))`

/** Joins the knowledge spaces `k` and the `calendar` of the agent `a`. */
export const withSpaces = sql`cross join lateral (
      select coalesce(json_agg(s.knowledge_space_id), '[]') as ids,
        coalesce(json_object_agg(s.knowledge_space_id, s.disabled_sources || space.disabled_sources), '{}') as disabled_sources,
        coalesce(json_object_agg(s.knowledge_space_id, s.tags), '{}') as tags,
        coalesce(json_object_agg(s.knowledge_space_id, s.languages), '{}') as languages
      from agent_knowledge_spaces s
      join knowledge_spaces space on space.organization_id = s.organization_id and space.id = s.knowledge_space_id
      where s.organization_id = a.organization_id and s.agent_id = a.id) k
    left join calendar_connections calendar on calendar.organization_id = a.organization_id and calendar.agent_id = a.id`
