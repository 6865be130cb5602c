// Which section the navigation marks as current.
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SectionNav } from './section-nav.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('agents')
})

/** Distance of each section from the top of the window: the page is too short for "spam" to reach the reading line. */
const TOPS: Record<string, number> = { basic: -900, handoff: 100, spam: 400, delete: 700 }

function Form({ children }: { children: ReactNode }) {
  return <FormProvider {...useForm()}>{children}</FormProvider>
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return { top: TOPS[this.id] ?? 0 } as DOMRect
  })
})

const current = () => screen.getByRole('navigation').querySelector('[aria-current=location]')?.textContent
const scrolled = () =>
  act(async () => {
    fireEvent.scroll(window)
    await new Promise(requestAnimationFrame)
  })

it('marks the section of a followed link, and from the next scroll on the one at the reading line', async () => {
  render(
    <MemoryRouter>
      <Form>
        <SectionNav />
        {Object.keys(TOPS).map((id) => (
          <section key={id} id={id} />
        ))}
      </Form>
    </MemoryRouter>,
  )
  await scrolled()
  expect(current()).toBe('Handover to a person')
  await userEvent.click(screen.getByRole('link', { name: 'Spam protection' }))
  await scrolled() // the browser scrolls the section up as far as the page allows
  expect(current()).toBe('Spam protection')
  fireEvent.wheel(window)
  await scrolled()
  expect(current()).toBe('Handover to a person')
})
