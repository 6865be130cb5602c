// The brand of the installation, for its administrators.
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { brandPictureInput, installationBrandInput, type OwnBrand } from '#shared/organizations/branding.ts'
import { noArgs } from '#shared/schema.ts'
import { getBrand } from './branding.store.ts'
import { changePicture, changeSettings } from './changing.ts'

/** What was chosen. Live. */
export const get = adminQuery({
  args: noArgs,
  handler: (ctx): Promise<OwnBrand> => getBrand(ctx, 'installation'),
})

/** Replaces the choices: signed-in people see them at once, pages that are opened within seconds. @throws brand_text_not_plain, brand_color_invalid, brand_color_too_light and the others of the brand */
export const update = adminMutation({
  args: installationBrandInput,
  isAudited: true,
  handler: async (ctx, settings): Promise<OwnBrand> => {
    await ctx.audit({ organizationId: null, ...(await changeSettings(ctx, 'installation', settings)) })
    return getBrand(ctx, 'installation')
  },
})

/** Takes a picture away. Safe to repeat. */
export const removePicture = adminMutation({
  args: brandPictureInput,
  isAudited: true,
  handler: async (ctx, { picture }): Promise<null> => {
    await ctx.audit({ organizationId: null, ...(await changePicture(ctx, 'installation', { picture, path: null })) })
    return null
  },
})
