// People are alerted to calls of tools that wait for the team.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** The member to whom the conversation is assigned, else all who may decide; once until they have seen it. */
const statements = [
  `create function alert_approval() returns trigger language plpgsql as $$
  declare assignee text := (select assignee_id from conversations
    where organization_id = new.organization_id and id = new.conversation_id);
  begin
    insert into alerts (organization_id, user_id, kind, subject, conversation_id, details)
    select new.organization_id, m.user_id, 'handoff', new.conversation_id || ' approvalWaiting', new.conversation_id,
      '{"event": "approvalWaiting", "name": "", "by": null, "slug": null}'
    from members m
    where m.organization_id = new.organization_id and m.role in ('owner', 'admin', 'operator')
      and (m.user_id = assignee or not exists (
        select from members p where p.organization_id = new.organization_id and p.user_id = assignee))
    order by m.user_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing;
    return null;
  end $$`,
  `create trigger alert_approval after insert on tool_approvals for each row
    when (new.decider = 'operator' and new.status = 'waiting') execute function alert_approval()`,
]

/** Makes the trigger. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
