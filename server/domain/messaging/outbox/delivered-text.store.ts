// SQL of the text that was really delivered: an agent knows its answer only as far as it has gone out to the customer.
import { type RawBuilder, sql } from 'kysely'

/** The text of a message in the alias `m`, without the parts that were withheld or refused; empty when that is all of it. */
export const deliveredText: RawBuilder<string> = sql<string>`case
  when m.author = 'customer' then m.text
  when (select true from outbox p where p.organization_id = m.organization_id and p.message_id = m.id and p.status = 'failed' limit 1) then (
    select coalesce(string_agg(p.text, ${'\n\n'}::text order by p.part) filter (where p.status <> 'failed'), '') from outbox p
    where p.organization_id = m.organization_id and p.message_id = m.id)
  else m.text end`
