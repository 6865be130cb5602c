// Files of the organization, which are given out only to who is signed in: fetched with the token and shown from memory.
import { useCallback, useEffect, useState } from 'react'
import { accessToken } from './convex.ts'

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

async function fetchFile(path: string): Promise<Blob> {
  const token = await accessToken()
  const answer = await fetch(path, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  if (!answer.ok) throw new Error(`the file was answered with ${answer.status}`)
  return answer.blob()
}
