// The ways in which files come: by button, by drop, by paste.
import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { UploadArea } from './upload-area.tsx'

const files = ['terms.txt', 'prices.csv'].map((name) => new File(['x'], name))
const namesOf = (call: File[] | undefined) => call?.map(({ name }) => name)

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('knowledge')
})

function area() {
  const onFiles = vi.fn<(files: File[]) => void>()
  const { container } = render(
    <>
      <UploadArea onFiles={onFiles} />
      <textarea aria-label="Note" />
    </>,
  )
  return { onFiles, input: container.querySelector('input[type=file]') as HTMLInputElement }
}

function paste(target: Element): Event {
  const event = createEvent.paste(target, { clipboardData: { files } })
  fireEvent(target, event)
  return event
}

it('takes several files from the file dialog that its button opens', async () => {
  const { onFiles, input } = area()
  const opened = vi.spyOn(input, 'click')
  await userEvent.click(screen.getByRole('button', { name: 'Upload files' }))
  expect(opened).toHaveBeenCalled()
  fireEvent.change(input, { target: { files } })
  await waitFor(() => expect(namesOf(onFiles.mock.lastCall?.[0])).toEqual(['terms.txt', 'prices.csv']))
})

it('takes files that are dropped on it', async () => {
  const { onFiles } = area()
  const items = files.map((file) => ({ kind: 'file', type: file.type, getAsFile: () => file }))
  fireEvent.drop(screen.getByRole('group', { name: 'Upload files' }), {
    dataTransfer: { files, items, types: ['Files'] },
  })
  await waitFor(() => expect(namesOf(onFiles.mock.lastCall?.[0])).toEqual(['terms.txt', 'prices.csv']))
})

it('takes files that are pasted anywhere but into a text', () => {
  const { onFiles } = area()
  expect(paste(screen.getByRole('textbox')).defaultPrevented).toBe(false)
  expect(onFiles).not.toHaveBeenCalled()
  expect(paste(document.body).defaultPrevented).toBe(true)
  expect(namesOf(onFiles.mock.lastCall?.[0])).toEqual(['terms.txt', 'prices.csv'])
})
