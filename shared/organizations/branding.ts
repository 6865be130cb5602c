// The brand under which people and visitors meet an installation or an organization: name, pictures, colours, sender of letters, footer of
// the web chat. What may be chosen is decided here, for the form and for the server.
import * as z from 'zod/mini'
import { contrastOf } from '#shared/contrast.ts'
import type { ErrorCode } from '#shared/errors.ts'

/** What the product is called where no one has named it. */
export const PRODUCT_NAME = 'Parley'
export const BRAND_NAME_MAX = 40
export const SENDER_NAME_MAX = 60
export const FOOTER_TEXT_MAX = 80
const ADDRESS_MAX = 254
const URL_MAX = 500
/** Of a file that becomes a logo or an icon, bytes. */
export const BRAND_PICTURE_MAX_BYTES = 1024 * 1024
/** How soon every server shows a change of the installation's brand, milliseconds. */
export const BRAND_KNOWN_WITHIN_MS = 2000

/** Pictures of a brand. The icon is square: for tabs, home screens and the narrow navigation. */
export const BRAND_PICTURES = ['logoLight', 'logoDark', 'icon'] as const
export type BrandPicture = (typeof BRAND_PICTURES)[number]
export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
/** Where the footer of the web chat comes from. `inherit`: from the installation; the installation itself then has none. */
export const FOOTERS = ['inherit', 'own', 'none'] as const

const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))
const settings = {
  name: text(BRAND_NAME_MAX),
  accentLight: text(7),
  accentDark: text(7),
  senderName: text(SENDER_NAME_MAX),
  replyTo: text(ADDRESS_MAX),
  footer: z.enum(FOOTERS),
  footerText: text(FOOTER_TEXT_MAX),
  footerUrl: text(URL_MAX),
}
/** What an organization may choose; empty: as the installation. Letters leave from the installation's address. */
export const organizationBrandInput = z.strictObject(settings)
/** What the installation may choose; empty: as the program brings it. */
export const installationBrandInput = z.strictObject({ ...settings, senderAddress: text(ADDRESS_MAX) })
export const brandPictureInput = z.strictObject({ picture: z.enum(BRAND_PICTURES) })

/** The choices of an installation or an organization. */
export type BrandSettings = z.infer<typeof installationBrandInput>
/** With the pictures, as paths on this installation; null: none. */
export type OwnBrand = BrandSettings & Record<BrandPicture, string | null>

export const EMPTY_BRAND: OwnBrand = {
  ...{ name: '', accentLight: '', accentDark: '', senderName: '', senderAddress: '', replyTo: '' },
  ...{ footer: 'inherit', footerText: '', footerUrl: '' },
  ...{ logoLight: null, logoDark: null, icon: null },
}

/** A brand as pages show it. `accent` null: the colours of the palette. */
export type Brand = {
  name: string
  logo: Record<Theme, string | null>
  icon: string | null
  accent: Record<Theme, string | null>
}
/** A line below the web chat; `url` null: it leads nowhere. */
export type BrandFooter = { text: string; url: string | null }
/** Who letters are from. `address` null: that of the configuration. */
export type BrandSender = { name: string | null; address: string | null; replyTo: string | null }

const HEX = /^#[0-9a-f]{6}$/i
const ADDRESS = /^[^\s@<>,;:"\\()[\]]+@[^\s@<>,;:"\\()[\]]+\.[^\s@<>,;:"\\()[\]]+$/
/** What letters and titles cannot carry: line breaks, and signs that turn the direction of writing. */
const NOT_PLAIN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
/** WCAG 2.2 AA, for text. */
export const CONTRAST_MIN = 4.5
/** Backgrounds and surfaces of both palettes: an accent is read on each of them. palettes.test.ts holds them to the styles. */
export const GROUNDS: Record<Theme, readonly string[]> = {
  light: ['#fbfbfa', '#ffffff', '#f8fafb'],
  dark: ['#141412', '#1a1a18', '#0d1417', '#131c20'],
}

/** Why a brand cannot be taken, and in which field. */
export type BrandFault = { field: keyof BrandSettings; code: ErrorCode; params: Record<string, string | number> }

/** Everything that is wrong, in the order of the form. */
export function brandFaults(brand: BrandSettings): BrandFault[] {
  const { footer, footerText, footerUrl } = brand
  const fault = (field: keyof BrandSettings, code: ErrorCode | null): BrandFault[] =>
    code === null ? [] : [{ field, code, params: {} }]
  return [
    ...fault('name', NOT_PLAIN.test(brand.name) ? 'brand_text_not_plain' : null),
    ...accentFault('accentLight', brand.accentLight),
    ...accentFault('accentDark', brand.accentDark),
    ...fault('senderName', NOT_PLAIN.test(brand.senderName) ? 'brand_text_not_plain' : null),
    ...fault('senderAddress', isAddressOrEmpty(brand.senderAddress) ? null : 'brand_address_invalid'),
    ...fault('replyTo', isAddressOrEmpty(brand.replyTo) ? null : 'brand_address_invalid'),
    ...(footer === 'own'
      ? [
          ...fault('footerText', footerCode(footerText)),
          ...fault('footerUrl', footerUrl === '' || isWebAddress(footerUrl) ? null : 'brand_link_invalid'),
        ]
      : []),
  ]
}

/** The lowest contrast of an accent with what it stands on. */
export function accentContrast(theme: Theme, color: string): number {
  return Math.min(...GROUNDS[theme].map((ground) => contrastOf(color, ground)))
}

/** Whether a text is a colour that may be kept: `#` and six hexadecimal digits. */
export function isAccent(color: string): boolean {
  return HEX.test(color)
}

function accentFault(field: 'accentLight' | 'accentDark', color: string): BrandFault[] {
  if (color === '') return []
  if (!isAccent(color)) return [{ field, code: 'brand_color_invalid', params: {} }]
  const theme = field === 'accentLight' ? 'light' : 'dark'
  const contrast = accentContrast(theme, color)
  if (contrast >= CONTRAST_MIN) return []
  const code = theme === 'light' ? 'brand_color_too_light' : 'brand_color_too_dark'
  // Cut, not rounded: 4.49 is not enough, and must not be called 4.5.
  return [{ field, code, params: { ratio: Math.floor(contrast * 100) / 100, min: CONTRAST_MIN } }]
}

function footerCode(text: string): ErrorCode | null {
  if (text === '') return 'brand_footer_empty'
  return NOT_PLAIN.test(text) ? 'brand_text_not_plain' : null
}

function isAddressOrEmpty(address: string): boolean {
  return address === '' || ADDRESS.test(address)
}

/** Only pages of the web: a link of another kind could run a script. */
function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address) && !NOT_PLAIN.test(address)
}

/** The brand that is shown, of the organization's choices over those of the installation. */
export function brandOf(installation: OwnBrand, own: OwnBrand = EMPTY_BRAND): Brand {
  const accent = (theme: 'accentLight' | 'accentDark') => own[theme] || installation[theme] || null
  // A logo shows a name: under another name it would be wrong.
  const pictured = own.name === '' ? [own, installation] : [own]
  const { logoLight = null, logoDark = null } = pictured.find((brand) => brand.logoLight ?? brand.logoDark) ?? {}
  return {
    name: own.name || installation.name || PRODUCT_NAME,
    logo: { light: logoLight ?? logoDark, dark: logoDark ?? logoLight },
    icon: pictured.find(({ icon }) => icon !== null)?.icon ?? null,
    accent: { light: accent('accentLight'), dark: accent('accentDark') },
  }
}

/** The line below the web chats of an organization; null: none. */
export function footerOf(installation: OwnBrand, own: OwnBrand): BrandFooter | null {
  const { footer, footerText, footerUrl } = own.footer === 'inherit' ? installation : own
  return footer === 'own' ? { text: footerText, url: footerUrl || null } : null
}

/** Who the letters of an organization are from; without one, those about accounts. */
export function senderOf(installation: OwnBrand, own: OwnBrand = EMPTY_BRAND): BrandSender {
  return {
    name: own.senderName || own.name || installation.senderName || installation.name || null,
    address: installation.senderAddress || null,
    replyTo: own.replyTo || installation.replyTo || null,
  }
}
