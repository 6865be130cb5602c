// Files of the organization, which are given out only to who is signed in: fetched with the token and shown from memory.
import { useCallback, useEffect, useState } from 'react'
import { HttpError } from '#web/lib/errors.ts'
import { accessToken } from './convex.ts'
import { refusalOf } from './post-file.ts'
import { atServer } from './server-address.ts'

/** `address` is one of this page alone, for pictures, players and downloads. */
export type LoadedFile = { status: 'idle' | 'loading' | 'failed'; address: null } | { status: 'ready'; address: string }

/**
 * A file by its path. Loaded when asked for, kept while the component stands.
 *
 * @param isWanted load at once; otherwise `load` does
 */
export function useFile(
  path: string | null,
  isWanted: boolean,
): { file: LoadedFile; load: () => Promise<string | null> } {
  const [file, setFile] = useState<LoadedFile>({ status: 'idle', address: null })
  const load = useCallback(async () => {
    if (path === null) return null
    setFile({ status: 'loading', address: null })
    const content = await fetchFile(path).catch(() => null)
    if (!content) {
      setFile({ status: 'failed', address: null })
      return null
    }
    const address = URL.createObjectURL(content)
    setFile({ status: 'ready', address })
    return address
  }, [path])
  useEffect(() => {
    if (isWanted) void load()
  }, [isWanted, load])
  const { address } = file
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address])
  return { file, load }
}

/**
 * Saves a file of the organization under the name that the server gives it.
 *
 * @throws Refusal as the server has put it, HttpError for any other refusal, an error of the network
 */
export async function saveFile(path: string): Promise<void> {
  const answer = await request(path)
  const name = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'file'
  const address = URL.createObjectURL(await answer.blob())
  Object.assign(document.createElement('a'), { href: address, download: decodeURIComponent(name) }).click()
  URL.revokeObjectURL(address)
}

async function fetchFile(path: string): Promise<Blob> {
  return (await request(path)).blob()
}

async function request(path: string): Promise<Response> {
  const token = await accessToken()
  const answer = await fetch(atServer(path), { headers: token ? { authorization: `Bearer ${token}` } : {} })
  if (!answer.ok) {
    const refusal = refusalOf(await answer.json().catch(() => null))
    throw refusal ?? new HttpError(answer.status, 'The file was refused')
  }
  return answer
}
