// What the handler of a public function receives. Each kind sees only what its guard has checked, so that shared results cannot leak.

import type { Retrieval } from '#server/domain/knowledge/search/retrieval.ts'
import type { Llm } from '#server/integrations/llm/llm.ts'
import type { Audit } from '#server/platform/audit/auditor.ts'
import type { Db, TransactionOptions } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import type { Journal } from '#server/platform/functions/paginate.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import type { Services } from './services.ts'

type Reads = {
  db: Db
  /** For paginate() alone: pass `ctx` through. Absent where nothing is live. */
  journal?: Journal
}
type Writes = Reads & {
  /** Time of the call; the same on every retry of the transaction. */
  now: Date
  jobs: Services['jobs']
}
/** No database handle: an action may wait for the outside world, a transaction may not. */
type Acts = { services: Services; now: Date; signal: AbortSignal }

type ForUser = { caller: Caller }
/** Functions that are declared as audited call it once. */
type Audited = { audit: Audit }
/** A caller of a function of an organization: a member. */
type MemberCaller = Caller & { organizationRole: OrganizationRole }
/** `publicUrl`: without a trailing slash. */
type Installation = { publicUrl: string; canSendMail: boolean }
type ForOrganization = { organizationId: Id<'organizations'> }
/** The list of models; makes no request to a provider. */
type Models = { models: Pick<Llm, 'models' | 'defaultModel' | 'assertKnown'> }

export type PublicQueryContext = Reads
export type PublicMutationContext = Writes
export type PublicActionContext = Acts

/** `db` is bound to the caller's organization; without one it sees no tenant rows. */
export type UserQueryContext = Reads & ForUser
export type UserMutationContext = Writes & Audited & ForUser & { secrets: Secrets }
export type UserActionContext = Acts & ForUser & Transactions

/** Queries of an organization are shared by all its members, so they do not know the caller. */
export type OrgQueryContext = Reads & ForOrganization & Models & { retrieval: Retrieval }
export type OrgMutationContext = Writes &
  Audited &
  ForOrganization & { caller: MemberCaller } & Models & { secrets: Secrets; installation: Installation }
export type OrgActionContext = Acts & ForOrganization & ForUser & Transactions

/** `db` sees all organizations. */
export type AdminQueryContext = Reads & Models
export type AdminMutationContext = Writes &
  Audited &
  ForUser &
  Models & { secrets: Secrets; installation: Installation }
export type AdminActionContext = Acts & ForUser & Transactions

/** The isolation of a transaction inside an action. */
export type WriteOptions = Pick<TransactionOptions, 'isolation'>

/** Short transactions inside an action, bound to the caller's organization. */
export type Transactions = {
  read<T>(run: (ctx: OrgQueryContext) => Promise<T>): Promise<T>
  /** Serializable unless `options` say otherwise. */
  write<T>(run: (ctx: OrgMutationContext) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Over all organizations. `purpose` names it in the log. */
  system<T>(purpose: string, run: (ctx: SystemContext) => Promise<T>): Promise<T>
}

/** A transaction of an action over all organizations. */
export type SystemContext = Writes & Audited
