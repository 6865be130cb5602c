// Files on their way to the server, before the message that they go with: how far each is, and why one is not taken.
import { useEffect, useRef, useState } from 'react'
import { WEBCHAT_FILE_MAX_BYTES, WEBCHAT_FILES_PER_MESSAGE } from '#shared/limits.ts'
import { type ApiClient, ApiError } from './api-client.ts'

/** A file that a message can carry. */
export type ReadyFile = { ticket: string; name: string }
/** `later`: too many were sent in this hour; `unreachable`: the way to the server failed. Both may be tried again. */
export type FileProblem = 'too_large' | 'empty' | 'not_taken' | 'later' | 'unreachable'

export type Upload = {
  key: number
  file: File
  /** 0 to 1 of it is sent. */
  share: number
  /** Null until it is stored. */
  ticket: string | null
  problem: FileProblem | null
}

export type Uploads = {
  list: Upload[]
  /** Some of those that were chosen last were left out: a message carries no more. */
  isOverfull: boolean
  isBusy: boolean
  add(files: Iterable<File>): void
  retry(key: number): void
  /** Also breaks it off. */
  remove(key: number): void
  /** Takes the uploaded files for sending; removes them from the list. */
  take(): ReadyFile[]
}

const PROBLEMS: Partial<Record<string, FileProblem>> = {
  file_too_large: 'too_large',
  file_empty: 'empty',
  unsupported_format: 'not_taken',
  forbidden: 'not_taken',
  files_limit_reached: 'later',
  rate_limited: 'later',
}

/** Uploads through a door; they end with the component. */
export function useUploads(door: ApiClient): Uploads {
  const [list, setList] = useState<Upload[]>([])
  const [isOverfull, setOverfull] = useState(false)
  const running = useRef(new Map<number, AbortController>())
  const lastKey = useRef(0)
  useEffect(() => {
    const { current } = running
    return () => {
      for (const controller of current.values()) controller.abort()
    }
  }, [])

  const change = (key: number, patch: Partial<Upload>) =>
    setList((all) => all.map((each) => (each.key === key ? { ...each, ...patch } : each)))
  async function begin({ key, file }: Pick<Upload, 'key' | 'file'>) {
    const problem = problemOf(file)
    if (problem) return change(key, { problem })
    const controller = new AbortController()
    running.current.set(key, controller)
    change(key, { problem: null, share: 0 })
    const { signal } = controller
    try {
      const { ticket } = await door.upload(file, { signal, onProgress: (share) => change(key, { share }) })
      change(key, { ticket, share: 1 })
    } catch (error) {
      const code = error instanceof ApiError ? error.code : ''
      if (!signal.aborted) change(key, { problem: PROBLEMS[code] ?? 'unreachable' })
    }
    running.current.delete(key)
  }
  return {
    list,
    isOverfull,
    isBusy: list.some(({ ticket, problem }) => ticket === null && problem === null),
    add(files) {
      const given = [...files]
      const taken = given.slice(0, WEBCHAT_FILES_PER_MESSAGE - list.length)
      setOverfull(taken.length < given.length)
      const added = taken.map((file) => ({ key: ++lastKey.current, file, share: 0, ticket: null, problem: null }))
      setList((all) => [...all, ...added])
      for (const upload of added) void begin(upload)
    },
    retry(key) {
      const upload = list.find((each) => each.key === key)
      if (upload) void begin(upload)
    },
    remove(key) {
      running.current.get(key)?.abort()
      setOverfull(false)
      setList((all) => all.filter((each) => each.key !== key))
    },
    take() {
      setOverfull(false)
      setList((all) => all.filter(({ ticket }) => ticket === null))
      return list.flatMap(({ ticket, file }) => (ticket === null ? [] : { ticket, name: file.name }))
    },
  }
}

/** What need not be sent to be known. */
function problemOf({ size }: File): FileProblem | null {
  if (size === 0) return 'empty'
  return size > WEBCHAT_FILE_MAX_BYTES ? 'too_large' : null
}
