// What the parts of the form of a brand get.
import type { BrandSettings } from '#shared/organizations/branding.ts'

export type BrandPartProps = {
  of: 'installation' | 'organization'
  draft: BrandSettings
  change: (patch: Partial<BrandSettings>) => void
  /** In words, if the field cannot be saved as it is. */
  errorOf: (field: keyof BrandSettings) => string | undefined
}
