// The brand of an organization: what its people and visitors see, and its choices over those of the installation.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import {
  type Brand,
  brandOf,
  brandPictureInput,
  EMPTY_BRAND,
  type OwnBrand,
  organizationBrandInput,
} from '#shared/organizations/branding.ts'
import { noArgs } from '#shared/schema.ts'
import { getBrand, getBrands } from './branding.store.ts'
import { changePicture, changeSettings } from './changing.ts'

/** What is shown to members of the organization. Live. */
export const shown = orgQuery({
  args: noArgs,
  handler: async (ctx): Promise<Brand> => {
    const { installation, own } = await getBrands(ctx, ctx.organizationId)
    return brandOf(installation, own)
  },
})

/** The organization's own choices, and what is shown without them. Live. */
export const get = orgQuery({
  args: noArgs,
  handler: async (ctx): Promise<{ own: OwnBrand; inherited: Brand; inheritedFooter: string }> => {
    const { installation, own } = await getBrands(ctx, ctx.organizationId)
    const inheritedFooter = installation.footer === 'own' ? installation.footerText : ''
    return { own, inherited: brandOf(installation), inheritedFooter }
  },
})

/** Replaces the choices, at once for everybody. @throws brand_text_not_plain, brand_color_invalid, brand_color_too_light and the others of the brand */
export const update = orgMutation({
  args: organizationBrandInput,
  isAudited: true,
  handler: async (ctx, settings): Promise<OwnBrand> => {
    const { senderAddress } = EMPTY_BRAND
    await ctx.audit(await changeSettings(ctx, ctx.organizationId, { ...settings, senderAddress }))
    return getBrand(ctx, ctx.organizationId)
  },
})

/** Takes a picture away. Safe to repeat. */
export const removePicture = orgMutation({
  args: brandPictureInput,
  isAudited: true,
  handler: async (ctx, { picture }): Promise<null> => {
    await ctx.audit(await changePicture(ctx, ctx.organizationId, { picture, path: null }))
    return null
  },
})
