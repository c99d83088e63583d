import type { BrowserContext, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { ask, type Environment, tell } from '../environment/environment.ts'
import { Api } from './api.ts'

/** A user with an account on the development chain, as known to the pass. */
interface Known {
  meId: string
  name: string
  address: string
  region: string
  kyc: string
}

/** A user with their own browser, wallet and passwords. */
export class Person {
  readonly email: string
  readonly password = 'Sunny-Day 42'
  readonly securityPassword = 'only coins know 7'
  readonly environment: Environment
  readonly page: Page
  readonly api: Api
  private readonly known: Known

  private constructor(environment: Environment, page: Page, known: Known) {
    this.environment = environment
    this.page = page
    this.known = known
    this.api = new Api(environment)
    this.email = `${known.name.toLowerCase().replaceAll(' ', '.')}@example.com`
  }

  /** Creates a user known to the pass, with the region and verification level that the story needs. */
  static async bring(
    environment: Environment,
    context: BrowserContext,
    as: { region: string; kyc: string },
  ): Promise<Person> {
    const people = (await ask(`${environment.pass}/people`)) as Known[]
    const known = people[environment.nextPerson()]
    if (known === undefined) throw new Error('the pass knows too few people')
    const { meId, name } = known
    await tell(`${environment.pass}/people`, { meId, name, ...as })
    return new Person(environment, await context.newPage(), { ...known, ...as })
  }

  /** Gives the user another address in the pass, of which the product does not know yet. */
  async moveTo(address: string): Promise<void> {
    const { meId, name, region, kyc } = this.known
    await tell(`${this.environment.pass}/people`, { meId, name, region, kyc, address })
  }

  /** Opens another tab of the same user. */
  async again(): Promise<Person> {
    return new Person(this.environment, await this.page.context().newPage(), this.known)
  }

  /** Opens a browser of the same user on another device. The caller closes its context. */
  async elsewhere(): Promise<Person> {
    const browser = this.page.context().browser()
    if (browser === null) throw new Error('no browser')
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
    return new Person(this.environment, await context.newPage(), this.known)
  }

  get name(): string {
    return this.known.name
  }
  /** The nickname that users of the product see. */
  get nickname(): string {
    return this.name.replaceAll(' ', '')
  }
  get meId(): string {
    return this.known.meId
  }
  /** The user's own address on the MEC chain, which is both the bound and the receiving address. */
  get address(): string {
    return this.known.address
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.environment.product + path)
  }

  /** Taps the button with this label. */
  async tap(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  async follow(name: string | RegExp): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).click()
  }

  async fill(label: string, value: string): Promise<void> {
    await this.page.getByRole('textbox', { name: label, exact: true }).fill(value)
  }

  async sees(text: string | RegExp): Promise<void> {
    await expect(this.page.getByText(text).first()).toBeVisible()
  }

  async seesHeading(text: string | RegExp): Promise<void> {
    await expect(this.page.getByRole('heading', { name: text })).toBeVisible()
  }

  /** Solves a slide check with the pointer. */
  async slide(doing: () => Promise<void>): Promise<void> {
    const asked = this.page.waitForResponse((response) => new URL(response.url()).pathname === '/api/slide')
    await doing()
    const { data } = (await (await asked).json()) as {
      data: { id: string; width: number; pieceWidth: number }
    }
    const x = await this.environment.slideAnswer(data.id)
    const slider = this.page.getByRole('slider', { name: 'Position of the puzzle piece' })
    const track = await slider.boundingBox()
    if (track === null) throw new Error('the slider is not there')
    const end = track.x + (track.width * x) / (data.width - data.pieceWidth)
    const middle = track.y + track.height / 2
    await this.page.mouse.move(track.x + 10, middle)
    await this.page.mouse.down()
    for (const part of [0.05, 0.2, 0.5, 0.8, 0.95, 1]) {
      await this.page.mouse.move(track.x + 10 + (end - track.x - 10) * part, middle, { steps: 6 })
    }
    await this.page.mouse.up()
    // Pointers are imprecise, so correct the position with Shift and an arrow key, which move by one pixel.
    for (let at = Number(await slider.inputValue()); at !== x; at += Math.sign(x - at)) {
      await slider.press(at < x ? 'Shift+ArrowRight' : 'Shift+ArrowLeft')
    }
    await this.tap('Verify')
  }

  /** Returns the newest emailed code, once there is one that differs from `before`. */
  async mailedCode(before?: string): Promise<string> {
    const newest = () => this.environment.newestCode(this.email)
    await expect.poll(async () => ![undefined, before].includes(await newest())).toBe(true)
    return (await newest()) ?? ''
  }

  /** Returns the page of the product that an email with this subject links to, once the user has got one. */
  async mailedLink(subject: string): Promise<string> {
    const link = async () => {
      const mails = await this.environment.mailsTo(this.email)
      const found = mails.find((mail) => mail.subject === `MEC2C: ${subject}`)
      return /^Open: (\S+)$/m.exec(found?.text ?? '')?.[1]
    }
    await expect.poll(link).toBeDefined()
    return (await link()) ?? ''
  }

  /** Takes a screenshot for visual review. */
  async picture(name: string, page: Page = this.page): Promise<void> {
    const folder = process.env['PICTURES']
    if (folder === undefined) return
    // Otherwise, sticky elements would appear in the middle of the page.
    await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, animations: 'disabled' })
  }
}
