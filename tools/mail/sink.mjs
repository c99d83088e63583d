// A mail server for development: accepts every email, delivers none, and shows them on a page.
//
//   node sink.mjs --smtp PORT --page PORT --folder FOLDER
//
// GET  /                    the page
// GET  /mails?to=ADDRESS    JSON for tests: newest first; all emails if no address is given
// POST /forget              deletes all emails
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { mailsPage, SCRIPT } from './page.mjs'

const MAILS_KEPT = 200
const MAIL_SIZE_LIMIT = 10 * 1024 * 1024
const HOST = '127.0.0.1'

const { values } = parseArgs({
  options: { smtp: { type: 'string' }, page: { type: 'string' }, folder: { type: 'string' } },
})
if (!values.smtp || !values.page || !values.folder) {
  console.error('usage: node sink.mjs --smtp PORT --page PORT --folder FOLDER')
  process.exit(2)
}
const folder = values.folder
mkdirSync(folder, { recursive: true })

/** Newest first. */
const mails = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .reverse()
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))

function fileOf(mail) {
  return join(folder, `${String(mail.number).padStart(10, '0')}.json`)
}

async function keep(raw, recipients) {
  const parsed = await PostalMime.parse(raw)
  const mail = {
    number: (mails[0]?.number ?? 0) + 1,
    receivedAt: new Date().toISOString(),
    from: parsed.from?.address ?? '',
    to: recipients,
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
  }
  mails.unshift(mail)
  writeFileSync(`${fileOf(mail)}.unfinished`, JSON.stringify(mail))
  renameSync(`${fileOf(mail)}.unfinished`, fileOf(mail))
  for (const old of mails.splice(MAILS_KEPT)) {
    rmSync(fileOf(old), { force: true })
  }
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
  size: MAIL_SIZE_LIMIT,
  disableReverseLookup: true,
  onData(stream, session, done) {
    const chunks = []
    stream.on('data', (chunk) => chunks.push(chunk))
    stream.on('error', done)
    stream.on('end', () => {
      if (stream.sizeExceeded) {
        done(Object.assign(new Error('the mail is too large'), { responseCode: 552 }))
        return
      }
      keep(
        Buffer.concat(chunks),
        session.envelope.rcptTo.map((recipient) => recipient.address.toLowerCase()),
      ).then(() => done(), done)
    })
  },
})
smtp.on('error', (error) => console.error(`mail: ${error.message}`))

function answer(response, status, type, body) {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; frame-src 'self' data:",
  })
  response.end(body)
}

const page = createServer((request, response) => {
  const url = new URL(request.url ?? '/', `http://${HOST}`)
  if (request.method === 'GET' && url.pathname === '/mails') {
    const to = url.searchParams.get('to')?.toLowerCase()
    const found = to ? mails.filter((mail) => mail.to.includes(to)) : mails
    answer(response, 200, 'application/json', JSON.stringify(found))
  } else if (request.method === 'GET' && url.pathname === '/') {
    answer(response, 200, 'text/html; charset=utf-8', mailsPage(mails))
  } else if (request.method === 'GET' && url.pathname === '/page.js') {
    answer(response, 200, 'text/javascript; charset=utf-8', SCRIPT)
  } else if (request.method === 'POST' && url.pathname === '/forget') {
    for (const mail of mails.splice(0)) {
      rmSync(fileOf(mail), { force: true })
    }
    answer(response, 200, 'application/json', '{}')
  } else {
    answer(response, 404, 'text/plain; charset=utf-8', 'There is no such page.')
  }
})

function listen(server, port) {
  return new Promise((resolve, reject) => {
    const inner = server.server ?? server
    inner.once('error', reject)
    server.listen(Number(port), HOST, resolve)
  })
}

await Promise.all([listen(smtp, values.smtp), listen(page, values.page)])
console.log(`mail sink ready: smtp ${values.smtp}, page http://${HOST}:${values.page}`)
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => process.exit(0))
}
