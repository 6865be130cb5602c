// The same screen of another agent, space or connection: nothing of the former one goes over to it, and nothing acts on it any more.
import { act, fireEvent, screen as page, render } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, type RouteObject, RouterProvider, useParams } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { startI18n } from '#web/lib/i18n.ts'
import { followRouter } from '#web/lib/sign-in/asked-address.ts'
import { channelRoutes } from './channel-routes.tsx'
import { knowledgeRoutes } from './knowledge-routes.ts'
import { screen } from './screen.tsx'

beforeAll(() => startI18n('en'))

const removed = vi.fn()

function Settings() {
  const { slug = '' } = useParams()
  const [name, setName] = useState('')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <h1>{slug}</h1>
      <input aria-label="Name" value={name} onChange={({ target }) => setName(target.value)} />
      <button type="button" onClick={() => setAsking(true)}>
        Remove
      </button>
      {isAsking && (
        <ConfirmDialog
          title={`Remove ${slug}?`}
          description=""
          cancelLabel="No"
          confirmLabel="Yes"
          onConfirm={async () => removed(slug)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

async function open() {
  const lazy = screen(async () => Settings)
  const router = createMemoryRouter([{ path: '/agents/:slug', lazy }], { initialEntries: ['/agents/anna'] })
  const forget = followRouter(router)
  render(<RouterProvider router={router} />)
  await page.findByRole('heading', { name: 'anna' })
  return { router, forget }
}

it('starts fresh for another agent: a form for the one is not saved for the other, a question is not answered for it', async () => {
  const { router, forget } = await open()
  fireEvent.change(page.getByRole('textbox'), { target: { value: 'Anna 2' } })
  fireEvent.click(page.getByRole('button', { name: 'Remove' }))
  expect(page.getByRole('alertdialog', { name: 'Remove anna?' })).toBeInTheDocument()
  await act(() => router.navigate('/agents/boris'))
  expect(await page.findByRole('heading', { name: 'boris' })).toBeInTheDocument()
  expect(page.queryByRole('alertdialog')).not.toBeInTheDocument()
  expect(page.getByRole('textbox')).toHaveValue('')
  expect(removed).not.toHaveBeenCalled()
  forget()
})

it('keeps what is typed while only the query of the address changes', async () => {
  const { router, forget } = await open()
  fireEvent.change(page.getByRole('textbox'), { target: { value: 'Anna 2' } })
  await act(() => router.navigate('/agents/anna?part=notes'))
  expect(page.getByRole('textbox')).toHaveValue('Anna 2')
  forget()
})

it.each(screens([...channelRoutes, ...knowledgeRoutes]))('is how $path is made', async ({ lazy }) => {
  const { Component } = await lazy()
  expect(Component.name).toBe('ScreenOfAddress')
})

/** Of the routes that name one of several things. */
function screens(routes: RouteObject[]) {
  return routes.flatMap(({ path, lazy }) =>
    path?.includes(':') && typeof lazy === 'function'
      ? [{ path, lazy: lazy as () => Promise<{ Component: { name: string } }> }]
      : [],
  )
}
