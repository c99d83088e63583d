import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../..')
const PROGRAMS = join(process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'), 'debug')
const READY = 'Ctrl-C stops everything'

interface Mail {
  subject: string
  text: string
}

/** A development environment without demo data, in a separate folder. */
export class Environment {
  private readonly program: ChildProcess
  private readonly folder: string
  private readonly printed: string
  private people = 0

  private constructor(program: ChildProcess, folder: string, printed: string) {
    this.program = program
    this.folder = folder
    this.printed = printed
  }

  /** Starts an environment on free ports, and waits until it is ready. */
  static async start(): Promise<Environment> {
    const folder = mkdtempSync(join(tmpdir(), 'mec2c-e2e-'))
    const program = spawn(
      join(PROGRAMS, 'mec2c-dev'),
      ['run', '--any-ports', '--empty', '--root', ROOT, '--data-dir', folder],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let printed = ''
    program.stderr.on('data', (text) => {
      printed += text
    })
    for await (const line of createInterface(program.stdout)) {
      printed += `${line}\n`
      if (line.includes(READY)) {
        program.stdout.resume()
        return new Environment(program, folder, printed)
      }
    }
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`the environment did not start:\n${printed}`)
  }

  /** Stops the environment and removes its folder. */
  async end(): Promise<void> {
    const ended = new Promise((done) => this.program.once('exit', done))
    this.program.kill('SIGINT')
    await ended
    if (process.env['KEEP_ENVIRONMENT'] === undefined) rmSync(this.folder, { recursive: true, force: true })
  }

  /** Returns the number of the next person of the pass who plays no part in a story yet. */
  nextPerson(): number {
    this.people += 1
    return this.people - 1
  }

  private address(word: string): string {
    const found = new RegExp(`^ +${word} +(http\\S+)`, 'm').exec(this.printed)?.[1]
    if (found === undefined)
      throw new Error(`the environment printed no address of ${word}:\n${this.printed}`)
    return found
  }

  get product(): string {
    return this.address('MEC2C')
  }
  get mails(): string {
    return this.address('Mails')
  }
  get pass(): string {
    return this.address('Pass')
  }
  get wallets(): string {
    return this.address('Wallets')
  }
  get node(): string {
    return this.address('Node')
  }
  private get control(): string {
    return new URL(this.address('Clock')).origin
  }

  /** The token contract of USDT. */
  get usdt(): string {
    const deployment = JSON.parse(readFileSync(join(this.folder, 'chain/deployment.json'), 'utf8')) as {
      usdt: string
    }
    return deployment.usdt
  }

  /** The contract of the album. */
  get album(): string {
    const deployment = JSON.parse(readFileSync(join(this.folder, 'chain/deployment.json'), 'utf8')) as {
      album: string
    }
    return deployment.album
  }

  /** Runs `mec2c …` with this environment's configuration. */
  async operate(...words: string[]): Promise<string> {
    const config = join(this.folder, 'mec2c.toml')
    const { stdout } = await promisify(execFile)(join(PROGRAMS, 'mec2c'), ['--config', config, ...words])
    return stdout
  }

  /** Advances the clock of the product and the chain. */
  async letPass(minutes: number): Promise<void> {
    await tell(`${this.control}/clock`, { advanceSeconds: Math.round(minutes * 60) })
  }

  /** Stops or resumes automatic blocks. */
  async holdChain(held: boolean): Promise<void> {
    await tell(`${this.control}/chain`, { held })
  }

  async mine(blocks: number): Promise<void> {
    await tell(`${this.control}/chain`, { mine: blocks })
  }

  /** Returns the solution of a slide check, in picture pixels. */
  async slideAnswer(id: string): Promise<number> {
    const { x } = (await ask(`${this.control}/slides/${id}`)) as { x: number }
    return x
  }

  /** Returns the newest emailed code to an address. */
  async newestCode(email: string): Promise<string | undefined> {
    return (await this.mailsTo(email)).map(({ text }) => /^ {4}(\d{6})$/m.exec(text)?.[1]).find(Boolean)
  }

  /** Returns the setup link in the newest email to an officer. */
  async setupLink(email: string): Promise<string> {
    const [newest] = await this.mailsTo(email)
    const link = /http\S+\/console\/setup#\S+/.exec(newest?.text ?? '')?.[0]
    if (link === undefined) throw new Error(`no setup link for ${email}`)
    return link
  }

  /** Returns the emails to an address, the newest first. */
  async mailsTo(email: string): Promise<Mail[]> {
    return (await ask(`${this.mails}/mails?to=${encodeURIComponent(email)}`)) as Mail[]
  }
}

/** Sends a GET request to one of the environment's pages. */
export async function ask(url: string): Promise<unknown> {
  return answer(await fetch(url))
}

/** Sends a POST request to one of the environment's pages. */
export async function tell(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return answer(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function answer(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
