// Telephone numbers that members of an organization enter.
import { getOrganization } from '#server/domain/organizations/organizations.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { countryOfTimeZone, internationalPhone } from '#server/platform/lib/phones.ts'
import { AppError } from '#shared/errors.ts'

/**
 * A full number, digits without the plus. Without a country code it gets that of the organization's country.
 * @throws phone_invalid
 */
export async function readPhone(ctx: OrgActionContext, typed: string): Promise<string> {
  const { timeZone } = await ctx.read((org) => getOrganization(org, org.organizationId))
  const phone = internationalPhone(typed, countryOfTimeZone(timeZone))
  if (phone === null) throw new AppError('phone_invalid')
  return phone
}
