// Measures the main screens of the production build with Lighthouse, as a phone sees them. `make lighthouse` runs it.
//
//   node measure.mjs PROGRAM      PROGRAM is mec2c-dev, with mec2c beside it
//
// It starts a development environment with the demo world, so the server is the shipped one: it compresses, caches and sends the
// security headers as for users. Fails if a score is below the target, except for the performance: it is the median of RUNS, and
// other programs on the machine lower it.
import { randomUUID } from 'node:crypto'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import puppeteer from 'puppeteer-core'

const TARGET = 96
const RUNS = Number(process.env.RUNS ?? '3')
/** The category that depends on the machine. */
const TIMED = 'performance'
const CATEGORIES = [TIMED, 'accessibility', 'best-practices', 'seo']
const ROOT = resolve(import.meta.dirname, '../..')
const READY = 'Ctrl-C stops everything'
/** A demo user with orders and conversations. */
const PERSON = 'Minjun'
/** robots.txt keeps search engines away from the screens of a session, so whether they can be indexed does not count there. */
const NOT_FOR_SESSIONS = ['is-crawlable']

/** Starts a development environment. Returns the addresses that it prints, and a function that ends it. */
async function start(program) {
  const folder = mkdtempSync(join(tmpdir(), 'mec2c-lighthouse-'))
  const child = spawn(program, ['run', '--any-ports', '--root', ROOT, '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((done) => child.once('exit', done))
  let printed = ''
  for await (const line of createInterface(child.stdout)) {
    printed += `${line}\n`
    if (line.includes(READY)) break
  }
  child.stdout.resume()
  const address = (word) => new RegExp(`^ +${word} +(http\\S+)`, 'm').exec(printed)?.[1]
  const end = async () => {
    child.kill('SIGINT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end().then(() => process.exit(1)))
  if (address('MEC2C') === undefined) {
    await end()
    throw new Error(`the environment did not start:\n${printed}`)
  }
  return { product: address('MEC2C'), pass: address('Pass'), end }
}

async function json(url, options) {
  const response = await fetch(url, options)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Logs the person in through the pass. Returns the session. */
async function logIn({ product, pass }) {
  const people = await json(`${pass}/people`)
  const person = people.find(({ name }) => name.startsWith(PERSON))
  if (person === undefined) throw new Error(`the pass does not know ${PERSON}`)
  const asked = await json(`${product}/api/scan/genQrCodeUrl/${randomUUID()}?purpose=login`)
  const { searchParams } = new URL(asked.data.qrCodeUrl)
  await json(`${pass}/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      challenge: searchParams.get('challenge'),
      audience: searchParams.get('audience'),
      callback: searchParams.get('callback'),
      person: person.meId,
      number: asked.data.number,
    }),
  })
  return (await json(`${product}/api/scan/result/${asked.data.id}`)).data.session
}

/** Returns the screens to measure, with whether they need the session. */
async function screens({ product }, session) {
  const headers = { authorization: session.token, language: 'en_US' }
  const { data } = await json(`${product}/api/c2c/deal/order/page?page=1&size=1`, { headers })
  const [order] = data.records
  if (order === undefined) throw new Error(`${PERSON} has no order`)
  return [
    { path: '/login', open: true },
    { path: '/', open: false },
    { path: '/order', open: false },
    { path: `/orderDetail?id=${order.id}`, open: false },
    { path: `/chat?id=${order.id}`, open: false },
  ]
}

/** Measures a screen once. Returns its scores and the audits that lost points, by category. */
async function measure(url, open, page) {
  const flags = { onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: 'error' }
  const config = { extends: 'lighthouse:default', settings: open ? {} : { skipAudits: NOT_FOR_SESSIONS } }
  const { lhr } = await lighthouse(url, flags, config, page)
  if (lhr.runtimeError !== undefined) throw new Error(`${url}: ${lhr.runtimeError.message}`)
  if (new URL(lhr.finalDisplayedUrl).pathname !== new URL(url).pathname)
    throw new Error(`${url} led to ${lhr.finalDisplayedUrl}`)
  const lost = (category) =>
    lhr.categories[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 1)
      .map(({ id }) => `${id} ${lhr.audits[id].displayValue ?? ''}`.trim())
  return Object.fromEntries(
    CATEGORIES.map((name) => [
      name,
      { score: Math.round((lhr.categories[name].score ?? 0) * 100), lost: lost(name) },
    ]),
  )
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]

async function main(program) {
  const environment = await start(program)
  const chrome = await launch({
    chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'],
  })
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${chrome.port}`, defaultViewport: null })
  const notes = []
  let missed = 0
  try {
    const session = await logIn(environment)
    console.log(`| screen | ${CATEGORIES.join(' | ')} |\n|---|${'---:|'.repeat(CATEGORIES.length)}`)
    for (const { path, open } of await screens(environment, session)) {
      const runs = []
      for (let run = 0; run < RUNS; run += 1) {
        // Each run is a first visit.
        const context = await browser.createBrowserContext()
        if (!open) {
          const { hostname: domain } = new URL(environment.product)
          const cookies = { 'MEC2C-token': session.token, userId: session.userId }
          await context.setCookie(...Object.entries(cookies).map(([name, value]) => ({ name, value, domain, path: '/' })))
        }
        runs.push(await measure(environment.product + path, open, await context.newPage()))
        await context.close()
      }
      const scores = CATEGORIES.map((name) => median(runs.map((run) => run[name].score)))
      console.log(`| \`${path.split('?')[0]}\` | ${scores.join(' | ')} |`)
      for (const [at, name] of CATEGORIES.entries()) {
        if (scores[at] >= TARGET) continue
        if (name !== TIMED) missed += 1
        const { lost } = runs.find((run) => run[name].score === scores[at])[name]
        notes.push(`${name} of ${path} is below ${TARGET}: ${lost.join('; ')}`)
      }
    }
  } finally {
    await browser.disconnect()
    chrome.kill()
    await environment.end()
  }
  for (const note of notes) console.log(note)
  return missed
}

const [program] = process.argv.slice(2)
if (program === undefined) {
  console.error('usage: node measure.mjs PROGRAM')
  process.exit(2)
}
process.exit((await main(resolve(program))) === 0 ? 0 : 1)
