import { createHmac, randomUUID } from 'node:crypto'
import { type Browser, expect, type Page } from '@playwright/test'
import type { Environment } from '../environment/environment.ts'

const STEP_MS = 30_000

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Returns the code that an authenticator app shows in a step (RFC 6238). */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const tag = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const at = (tag.at(-1) ?? 0) & 0xf
  return String((tag.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The stories of a worker share an environment, and only two administrators can be created in one. */
const firstAdministrators = new WeakMap<Environment, Officer>()
const appealOfficers = new WeakMap<Environment, Officer>()

/** Lets an officer certify users, who may then post ads for a fiat currency. */
export async function certify(
  environment: Environment,
  browser: Browser,
  ...users: readonly { email: string; nickname: string }[]
): Promise<void> {
  const officer = await Officer.arrive(environment, browser)
  for (const user of users) await officer.certify(user)
  await officer.page.context().close()
}

/** An officer with a browser and an authenticator app. */
export class Officer {
  readonly page: Page
  private readonly environment: Environment
  private readonly email: string
  private readonly password = 'Calm-Officer 7'
  private secret = ''
  /** The step of the last code that was used. Each code works once. */
  private used = 0

  private constructor(environment: Environment, page: Page, email: string) {
    this.environment = environment
    this.page = page
    this.email = email
  }

  private async code(): Promise<string> {
    // The next code is already accepted, because clocks differ; the one after it is not.
    const step = () => Math.floor(Date.now() / STEP_MS)
    await expect.poll(step, { timeout: 2 * STEP_MS }).toBeGreaterThanOrEqual(this.used)
    this.used = Math.max(step(), this.used + 1)
    return codeOf(this.secret, this.used)
  }

  /** Opens a browser, in which the environment's first administrator signs in. */
  static async arrive(environment: Environment, browser: Browser): Promise<Officer> {
    const officer = await Officer.at(environment, browser, 'ada@officers.example')
    await officer.enter(firstAdministrators, () => officer.join('Ada'))
    return officer
  }

  /** Opens a browser, in which the environment's appeal officer, whom its two administrators appoint, signs in. */
  static async forAppeals(environment: Environment, browser: Browser): Promise<Officer> {
    const officer = await Officer.at(environment, browser, 'olga@officers.example')
    await officer.enter(appealOfficers, async () => {
      const admin = await Officer.arrive(environment, browser)
      const approver = await Officer.at(environment, browser, 'sue@officers.example')
      await approver.join('Sue')
      await approver.signIn()
      await admin.create('Olga', officer.email, 'Appeal officer')
      await approver.approve(officer.email)
      for (const { page } of [admin, approver]) await page.context().close()
      await officer.setUp(await environment.setupLink(officer.email))
    })
    return officer
  }

  private static async at(environment: Environment, browser: Browser, email: string): Promise<Officer> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
    return new Officer(environment, await context.newPage(), email)
  }

  /** Signs in. Gets the account first, unless an earlier story of the environment did. */
  private async enter(known: WeakMap<Environment, Officer>, getAccount: () => Promise<void>): Promise<void> {
    const earlier = known.get(this.environment)
    if (earlier === undefined) await getAccount()
    else {
      this.secret = earlier.secret
      this.used = earlier.used
      await this.page.goto(`${this.environment.product}/console`)
    }
    await this.signIn()
    known.set(this.environment, this)
  }

  /** Becomes an administrator with `mec2c officer create` and sets up the account with the printed link. */
  async join(name: string): Promise<void> {
    const words = [
      'create',
      this.email,
      '--name',
      name,
      '--reason',
      'The first administrator',
      '--officer',
      'root',
    ]
    const printed = await this.environment.operate('officer', ...words)
    const link = /http\S+\/console\/setup#\S+/.exec(printed)?.[0]
    if (link === undefined) throw new Error(`no setup link:\n${printed}`)
    await this.setUp(link)
  }

  /** Sets a password and the authenticator app with a setup link. */
  async setUp(link: string): Promise<void> {
    await this.page.goto(link)
    this.secret = (await this.page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
    await this.page.getByLabel('New password').fill(this.password)
    await this.page.getByLabel('Repeat the password').fill(this.password)
    await this.page.getByLabel('Code from your authenticator app').fill(await this.code())
    await this.page.getByRole('button', { name: 'Finish setup' }).click()
    await expect(this.page.getByRole('heading', { name: 'Officer sign-in' })).toBeVisible()
  }

  async signIn(): Promise<void> {
    await this.page.getByLabel('Email').fill(this.email)
    await this.page.getByLabel('Password', { exact: true }).fill(this.password)
    await this.page.getByLabel('Code from your authenticator app').fill(await this.code())
    await this.page.keyboard.press('Enter')
    await expect(this.page.getByRole('navigation')).toBeVisible()
  }

  async visit(section: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: section }).click()
    await expect(this.page.getByRole('heading', { level: 1, name: section })).toBeVisible()
  }

  /** Creates an account in the console for someone else, which another administrator must approve. */
  async create(name: string, email: string, role: string): Promise<void> {
    await this.visit('Officers')
    await this.page.getByRole('button', { name: 'New officer' }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('Role').selectOption({ label: role })
    await this.decide('Decides appeals.')
    const row = this.page.getByRole('row', { name: email })
    await expect(row).toContainText('by another administrator')
  }

  /** Approves an officer, who gets the setup link by mail. */
  async approve(email: string): Promise<void> {
    await this.visit('Officers')
    const row = this.page.getByRole('row', { name: email })
    await row.getByRole('button', { name: 'Approve' }).click()
    await this.decide('I have spoken with the new colleague.')
    await expect(row).toContainText('Invited')
  }

  /** Certifies a user, who can then post ads against fiat. */
  async certify(user: { email: string; nickname: string }): Promise<void> {
    await this.visit('Users')
    await this.page.getByLabel('Find a user').fill(user.email)
    await this.page.keyboard.press('Enter')
    await this.page.getByRole('row', { name: user.nickname }).getByRole('link').click()
    await this.page.getByRole('button', { name: 'Badges' }).click()
    await this.page.getByRole('dialog').getByLabel('Certified trader').check()
    await this.decide('Papers seen.')
  }

  /** Resumes the payouts of all coins and albums, which stop together. */
  async resume(): Promise<void> {
    await this.visit('Payouts')
    await this.page.getByRole('button', { name: 'Refresh' }).click()
    const stopped = this.page.getByRole('button', { name: 'Resume…' })
    await expect(stopped.first()).toBeVisible()
    for (let left = await stopped.count(); left > 0; left -= 1) {
      await expect(stopped).toHaveCount(left)
      await stopped.first().click()
      await this.decide('The deposit is back.')
    }
    await expect(stopped).toHaveCount(0)
  }

  /** Opens the case about an order, whose row in the list of cases has this text, and joins it. */
  async joinCase(row: RegExp): Promise<void> {
    await this.visit('Appeals')
    await this.page.getByRole('row', { name: row }).click()
    await expect(this.page.getByText('You’re not on this case')).toBeVisible()
    await this.page.getByRole('button', { name: /Join the case/ }).click()
  }

  /** Decides the open case, once the dialog says what the verdict does. */
  async rule(
    verdict: 'Buyer wins' | 'Seller wins',
    note: string,
    effect: string | RegExp = '',
  ): Promise<void> {
    await this.page.getByRole('button', { name: /Decide…/ }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel(verdict).check()
    await expect(dialog).toContainText(effect)
    await this.picture('console-verdict')
    await this.decide(note, 'Note')
    await expect(this.page.getByText(/The verdict is executed in/)).toBeVisible()
  }

  /** Takes a screenshot for visual review. */
  async picture(name: string): Promise<void> {
    const folder = process.env['PICTURES']
    if (folder !== undefined) await this.page.screenshot({ path: `${folder}/${name}.png` })
  }

  /** Calls the console's API in the officer's session. */
  async get<T>(path: string): Promise<T> {
    return this.call('GET', path)
  }

  /** Sends a command to the console's API in the officer's session. */
  async post<T>(path: string, data: unknown): Promise<T> {
    return this.call('POST', path, data)
  }

  private async call<T>(method: string, path: string, data?: unknown): Promise<T> {
    const url = `${this.environment.product}/api/console${path}`
    const headers = { way: 'WEB', language: 'en_US', 'idempotency-key': randomUUID() }
    const response = await this.page.request.fetch(url, { method, headers, data })
    const envelope = (await response.json()) as { code: string; message: string; data: T }
    if (envelope.code !== '200') throw new Error(`${path}: ${envelope.code} ${envelope.message}`)
    return envelope.data
  }

  /** Sends the open decision with a reason. */
  async decide(reason: string, label = 'Reason'): Promise<void> {
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel(label).fill(reason)
    await this.page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
  }
}
