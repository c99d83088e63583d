// The page of the pass: shows the request, selects a person, and approves or declines.

const at = (id) => document.getElementById(id)
const asked = Object.fromEntries(new URLSearchParams(location.search))
const CHOSEN = 'pass-person'
const PURPOSES = {
  login: 'Log in',
  register: 'Open an account',
  reset: 'Set a new password',
  security: 'Change what protects your coins',
  bind: 'Send your coins to the address below from now on',
  unbind: 'Remove the address to which your coins go',
  confirm: 'Release the coins of an order',
}

let people = []

const call = async (path, body) => {
  const response = await fetch(path, body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

const say = (text) => {
  at('said').textContent = text
}

const chosen = () => people.find((person) => person.meId === at('person').value)

const show = () => {
  const person = chosen()
  if (!person) return
  localStorage.setItem(CHOSEN, person.meId)
  const facts = [['ME ID', person.meId], ['Address', person.address], ['Region', person.region], ['Verification', person.kyc]]
  at('facts').replaceChildren(
    ...facts.flatMap(([name, value]) => [
      Object.assign(document.createElement('dt'), { textContent: name }),
      Object.assign(document.createElement('dd'), { textContent: value }),
    ]),
  )
}

const load = async (pick) => {
  people = await call('/people')
  at('person').replaceChildren(
    ...people.map((person) => new Option(`${person.name} · ${person.region} · ${person.kyc}`, person.meId)),
  )
  const wanted = pick ?? asked.person ?? localStorage.getItem(CHOSEN)
  if (people.some((person) => person.meId === wanted)) at('person').value = wanted
  show()
}

const scanned = asked.mode !== 'redirect'
const picked = () => document.querySelector('input[name=number]:checked')?.value

const request = () => {
  const { challenge, audience, callback } = asked
  const number = scanned && picked() ? Number(picked()) : null
  return { challenge, audience, callback, mode: scanned ? 'qr' : 'redirect', person: at('person').value, number }
}

const region = (code) => (code ? new Intl.DisplayNames('en', { type: 'region' }).of(code) : 'unknown')

const choice = (number) => {
  const label = Object.assign(document.createElement('label'), { className: 'choice' })
  label.append(Object.assign(document.createElement('input'), { type: 'radio', name: 'number', value: number }), `${number}`)
  return label
}

// An attacker may have altered the link or QR code, so ask the product for the purpose of the request.
const look = async () => {
  const { challenge, audience, callback } = asked
  try {
    const { purpose, requester, numbers } = await call('/request', { challenge, audience, callback })
    at('who').textContent = `${audience} at ${new URL(callback).host} asks`
    at('ask').textContent = PURPOSES[purpose] ?? 'Confirm who you are'
    const { browser, system } = requester
    at('browser').textContent = browser ? (system ? `${browser} on ${system}` : browser) : 'unknown'
    at('from').textContent = region(requester.region)
    at('numbers').replaceChildren(...numbers.map(choice))
    at('match').hidden = !scanned
    at('own').hidden = scanned
    at('approve').disabled = scanned
    at('request').hidden = false
    at('decide').hidden = false
  } catch (error) {
    at('why').textContent = error.message
    at('gone').hidden = false
  }
}

const decide = async (path, done) => {
  const buttons = at('decide').querySelectorAll('button')
  buttons.forEach((button) => { button.disabled = true })
  say('')
  try {
    const { go } = await call(path, request())
    if (go) location.assign(go)
    else {
      at('decide').hidden = true
      say(done)
    }
  } catch (error) {
    say(error.message)
    buttons.forEach((button) => { button.disabled = false })
    at('approve').disabled = scanned && !picked()
  }
}

const make = async (meId) => {
  const form = at('make')
  if (!form.reportValidity()) return
  try {
    const { name, region, kyc, address } = Object.fromEntries(new FormData(form))
    const person = await call('/people', { name, region, kyc, meId, address: address || null })
    await load(person.meId)
    say(`${person.name} is ready.`)
  } catch (error) {
    say(error.message)
  }
}

const open = Boolean(asked.challenge && asked.audience && asked.callback)
at('idle').hidden = open
if (open) look()
at('numbers').addEventListener('change', () => { at('approve').disabled = false })
at('person').addEventListener('change', show)
at('approve').addEventListener('click', () => decide('/approve', 'Approved. Go back to the site.'))
at('deny').addEventListener('click', () => decide('/deny', 'Declined.'))
at('make').addEventListener('submit', (event) => {
  event.preventDefault()
  make(null)
})
at('change').addEventListener('click', () => make(at('person').value))
load().catch((error) => say(error.message))
