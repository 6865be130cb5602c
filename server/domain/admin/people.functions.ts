// People of all organizations, as administrators of the installation see and manage them.
import { sendLetter } from '#server/domain/letters/letters.job.ts'
import type { AdminMutationContext } from '#server/functions/context.ts'
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { letterLanguage } from '#server/integrations/mail/letters.ts'
import { clearTwoFactor } from '#server/platform/auth/factors/two-step.store.ts'
import { decideRole, hasOtherAdmin } from '#server/platform/auth/installation.store.ts'
import { findLanguage, setLock } from '#server/platform/auth/people.store.ts'
import { endAllSessions } from '#server/platform/auth/sessions.store.ts'
import { AppError } from '#shared/errors.ts'
import {
  type AdminPerson,
  exportPeopleInput,
  listPeopleInput,
  lockInput,
  MEMBERS_EXPORT_MAX,
  type PeopleFile,
  personInput,
  setUserRoleInput,
} from '#shared/organizations/admin.ts'
import * as store from './people.read.store.ts'
import { peopleCsv, peopleFileName } from './people-csv.rules.ts'

/** What is shown of all people changes with every minute that one of them works. */
const REST_MS = 1000

/** A page of people, by name; live. */
export const list = adminQuery({
  args: listPeopleInput,
  restMs: REST_MS,
  handler: (ctx, { paginationOpts, ...filters }) => store.listPeople(ctx, filters, paginationOpts),
})

/** The people found, as a file for spreadsheets. */
const exportPeople = adminQuery({
  args: exportPeopleInput,
  handler: async (ctx, { language, ...filters }): Promise<PeopleFile> => {
    const people = await store.listFirst(ctx, filters, MEMBERS_EXPORT_MAX)
    const [name, csv] = [peopleFileName(new Date()), peopleCsv(people, language)]
    return { name, csv, isCut: people.length === MEMBERS_EXPORT_MAX }
  },
})

export { exportPeople as export }

/** Makes a person administrator of the installation, or ends that, from their next call on. @throws not_found, own_admin_access, last_admin */
export const setRole = adminMutation({
  args: setUserRoleInput,
  isAudited: true,
  handler: async (ctx, { userId, role }) => {
    const person = await store.getPerson(ctx, userId)
    if (role !== 'admin') await demandOther(ctx, person)
    await decideRole(ctx.db, userId, role, ctx.now)
    await ctx.audit({ ...subjectOf(person), before: { role: person.role }, after: { role } })
    return null
  },
})

/** Ends all sessions of a person; open connections end at once, on every server. @throws not_found */
export const revokeSessions = adminMutation({
  args: personInput,
  isAudited: true,
  handler: async (ctx, { userId }) => {
    const person = await store.getPerson(ctx, userId)
    await endAllSessions(ctx.db, userId, 'admin')
    await ctx.audit(subjectOf(person))
    return null
  },
})

/** Keeps a person from signing in, and ends their sessions. @throws not_found, own_admin_access, last_admin */
export const lock = adminMutation({
  args: lockInput,
  isAudited: true,
  handler: async (ctx, { userId, reason }) => {
    const person = await store.getPerson(ctx, userId)
    await demandOther(ctx, person)
    await setLock(ctx.db, userId, { reason, now: ctx.now })
    await endAllSessions(ctx.db, userId, 'locked')
    await ctx.audit({ ...subjectOf(person), reason })
    return null
  },
})

/** Lets a person sign in again. @throws not_found */
export const unlock = adminMutation({
  args: personInput,
  isAudited: true,
  handler: async (ctx, { userId }) => {
    const person = await store.getPerson(ctx, userId)
    await setLock(ctx.db, userId, null)
    await ctx.audit(subjectOf(person))
    return null
  },
})

/** Takes away a second step that a person cannot give any more: the password is enough then. They get a letter. @throws not_found; forbidden for one's own, which asks for the password */
export const resetTwoStep = adminMutation({
  args: personInput,
  isAudited: true,
  handler: async (ctx, { userId }) => {
    const person = await store.getPerson(ctx, userId)
    if (userId === ctx.caller.userId) throw new AppError('forbidden')
    const hadTwoStep = await clearTwoFactor(ctx.db, userId)
    await ctx.audit(subjectOf(person))
    if (!hadTwoStep) return null
    const language = letterLanguage(await findLanguage(ctx.db, person.email))
    await sendLetter(ctx, { to: person.email, language, kind: 'two-step-off' })
    return null
  },
})

/** For what would leave the caller, or the installation, without its administration. */
async function demandOther(ctx: AdminMutationContext, { _id, role }: AdminPerson): Promise<void> {
  if (_id === ctx.caller.userId) throw new AppError('own_admin_access')
  if (role === 'admin' && !(await hasOtherAdmin(ctx.db, _id))) throw new AppError('last_admin')
}

function subjectOf({ _id, email }: AdminPerson) {
  return { organizationId: null, resource: { kind: 'account', id: _id, name: email } }
}
