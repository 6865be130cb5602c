// Slugs made from names.
import { describe, expect, it } from 'vitest'
import { isAgentId, isKnowledgeSpaceId } from '#shared/ids.ts'
import { newId } from '../ids.ts'
import { freeSlug, slugFor } from './slug.ts'

describe('slugFor', () => {
  it.each([
    ['Служба поддержки', 'sluzhba-podderzhki'],
    ['  Ещё  один — бот!  ', 'esche-odin-bot'],
    ['Café Zürich №5', 'cafe-zurich-no5'],
    ['Подъезд & Щука', 'podezd-schuka'],
    ['SHOP', 'shop'],
  ])('turns %j into %j', (name, slug) => {
    expect(slugFor(name)).toBe(slug)
  })

  it('still gives a slug for a name without letters', () => {
    expect(slugFor('😀😀')).toMatch(/^s-[0-9a-f]{8}$/)
    expect(slugFor('客服')).toMatch(/^s-[0-9a-f]{8}$/)
  })

  it('is never taken for an id, even when the name is one', () => {
    const id = newId()
    for (const name of [id, 'a'.repeat(24), 'a'.repeat(25), 'a'.repeat(100), 'щ'.repeat(30), 'Z9'.repeat(14)]) {
      const slug = slugFor(name)
      expect(isAgentId(slug), slug).toBe(false)
      expect(isKnowledgeSpaceId(slug), slug).toBe(false)
      expect(slug.length).toBeLessThanOrEqual(60)
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }
  })
})

describe('freeSlug', () => {
  it('keeps a free slug and numbers a taken one', () => {
    expect(freeSlug('shop', [])).toBe('shop')
    expect(freeSlug('shop', ['shop'])).toBe('shop-2')
    expect(freeSlug('shop', ['shop', 'shop-2', 'shop-4'])).toBe('shop-3')
  })

  it('keeps within the length of a slug', () => {
    const base = slugFor('слово '.repeat(30))
    expect(freeSlug(base, [base]).length).toBeLessThanOrEqual(60)
  })
})
