// Invitations of the whole installation: validation of input, and the shapes that administrators receive.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import { createInviteInput, INVITE_STATES, type Invite, type InviteState } from './members.ts'

/** Invitations of one file, the newest first. */
export const INVITES_EXPORT_MAX = 20_000

const filters = {
  status: z.optional(z.enum(INVITE_STATES)),
  /** Part of an address or of an organization's name. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
}

export const listAllInvitesInput = z.strictObject({ ...filters, paginationOpts })
export const exportInvitesInput = z.strictObject({ ...filters, language: z.enum(['ru', 'en']) })
/** `search`: part of a name. */
export const findOrganizationsInput = z.strictObject({ search: z.string().check(z.trim(), z.maxLength(200)) })
/** `organizationId` left out: recognised by the domain of the address. */
export const createAnyInviteInput = z.extend(createInviteInput, { organizationId: z.optional(id('organizations')) })

export type InviteFilters = { status?: InviteState | undefined; search?: string | undefined }

/** An invitation, and to what. */
export type AdminInvite = Invite & { organization: { _id: Id<'organizations'>; name: string } }

/** An organization that can be chosen; the address of an owner tells apart those of one name. */
export type OrganizationChoice = { _id: Id<'organizations'>; name: string; owner: string | null }

/** A table for spreadsheets. `isCut`: older invitations are left out. */
export type InvitesFile = { name: string; csv: string; isCut: boolean }

/** Domains at which anyone gets an address: they say nothing about where a person works. */
const PUBLIC_DOMAINS = new Set(
  `gmail.com googlemail.com mail.ru inbox.ru bk.ru list.ru internet.ru xmail.ru yandex.ru yandex.com yandex.kz yandex.by ya.ru narod.ru
  rambler.ru lenta.ru ro.ru autorambler.ru mail.kz outlook.com hotmail.com live.com live.ru msn.com hotmail.co.uk yahoo.com yahoo.co.uk
  ymail.com rocketmail.com icloud.com me.com mac.com proton.me protonmail.com pm.me aol.com gmx.com gmx.de gmx.net web.de mail.com
  zoho.com zohomail.com fastmail.com hey.com tutanota.com tuta.io tuta.com ukr.net i.ua meta.ua tut.by qq.com 163.com 126.com sina.com
  naver.com seznam.cz wp.pl o2.pl libero.it orange.fr free.fr laposte.net t-online.de vk.com mailinator.com`.split(
    /\s+/,
  ),
)

/** The domain of an address by which its owner's organization can be recognised; undefined: it is a public one. */
export function ownDomain(email: string): string | undefined {
  const domain = email.trim().toLowerCase().split('@').at(-1) ?? ''
  return domain === '' || PUBLIC_DOMAINS.has(domain) ? undefined : domain
}
