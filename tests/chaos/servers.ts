// Servers as processes of their own, so that they can be killed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = path.resolve(import.meta.dirname, '../../server/main.ts')
/** Far longer than a start takes, for a busy machine. */
const START_LIMIT_MS = 240_000

/** One server process, on the same port across restarts. */
export class ServerProcess {
  readonly url: string
  readonly #env: Record<string, string>
  readonly #program: string
  #child: ChildProcess | undefined
  #output = ''
  isFrozen = false
  /** Lines of the log about requests that failed for a reason that it did not expect, over all its processes. */
  readonly failedRequests: string[] = []

  private constructor(port: number, env: Record<string, string>, program: string) {
    this.#program = program
    this.url = `http://127.0.0.1:${port}`
    this.#env = { ...env, PORT: String(port), HOST: '127.0.0.1' }
  }

  /** Finds a free port; starts nothing yet. `program`: a script other than server/main.ts. */
  static async create(env: Record<string, string>, program = MAIN): Promise<ServerProcess> {
    const probe = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => probe.once('listening', resolve))
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    return new ServerProcess(port, env, program)
  }

  /**
   * Starts the process and waits until it is ready. `failure`: which failpoint fails how, see server/platform/lib/failpoints.ts; being killed
   * before it is ready counts as that failure. @returns ms until it was ready
   */
  async start(failure = ''): Promise<number> {
    const startedAt = performance.now()
    const env = { ...process.env, ...this.#env, FAILURE: failure }
    const child = spawn(process.execPath, [this.#program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#output = ''
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-4000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"request failed"')) this.failedRequests.push(line.slice(0, 1000))
    })
    this.#child = child
    const until = Date.now() + START_LIMIT_MS
    while (!(await this.isReady())) {
      if (failure && this.wasKilled) break
      if (this.hasEnded || Date.now() > until) throw new Error(`the server did not start:\n${this.#output}`)
      await sleep(50)
    }
    return performance.now() - startedAt
  }

  /** Whether it was started and no longer runs, for any reason. */
  get hasEnded(): boolean {
    return !!this.#child && (this.#child.exitCode !== null || this.#child.signalCode !== null)
  }

  /** Whether it ended by kill -9, from any sender. */
  get wasKilled(): boolean {
    return this.#child?.signalCode === 'SIGKILL'
  }

  /** Whether it is stopped by SIGSTOP, from any sender. */
  get isStandingStill(): boolean {
    const id = String(this.#child?.pid)
    return spawnSync('ps', ['-o', 'state=', '-p', id], { encoding: 'utf8' }).stdout.startsWith('T')
  }

  /** The end of its output. */
  get lastWords(): string {
    return this.#output
  }

  async isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  /** SIGSTOP: it does nothing, keeps its connections, and does not notice. */
  freeze(): void {
    this.isFrozen = true
    this.#child?.kill('SIGSTOP')
  }

  /** SIGCONT. */
  thaw(): void {
    this.isFrozen = false
    this.#child?.kill('SIGCONT')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill(signal)
    return exited
  }
}
