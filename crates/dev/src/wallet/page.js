// The URL may prefill the form: /?person=Amina&to=0x…&amount=5&coin=MEC

const at = (id) => document.getElementById(id)
const wanted = new URLSearchParams(location.search)
let people = []

async function ask(path, body) {
  const request = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(path, request)
  const answer = await response.json().catch(() => ({ error: `the server responded with ${response.status}` }))
  if (!response.ok) throw new Error(answer.error)
  return answer
}

function say(words, wrong = false) {
  at('said').textContent = words
  at('said').classList.toggle('wrong', wrong)
}

const chosen = () => people.find((person) => person.address === at('person').value)

function show() {
  const person = chosen()
  at('address').textContent = person.address
  at('holdings').replaceChildren(
    ...person.holdings.map(({ coin, amount }) => {
      const box = document.createElement('div')
      const name = document.createElement('dt')
      const value = document.createElement('dd')
      name.textContent = coin
      value.textContent = amount
      value.dataset.coin = coin
      box.append(name, value)
      return box
    }),
  )
  showNfts(person)
}

function showNfts({ nfts }) {
  at('nfts').textContent = nfts.length ? `Pixel Gardens (ART): ${nfts.map((number) => `#${number}`).join(', ')}` : ''
}

function options(select, entries, selected) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value, false, value === selected)))
}

async function refresh() {
  const before = at('person').value
  people = await ask('people')
  const asked = people.find(({ name, address }) => [name, address].includes(wanted.get('person')))
  // Rebuild the list only when a person was added, so that an open list does not change while it is used.
  if (at('person').options.length !== people.length) {
    options(at('person'), people.map(({ name, address }) => [address, name]), before || asked?.address)
  }
  if (!at('coin').options.length) {
    const coins = people[0].holdings.map(({ coin }) => [coin, coin])
    options(at('coin'), [...coins, ['ART', 'NFT (ART)']], wanted.get('coin'))
    label()
  }
  show()
}

function label() {
  const isNft = at('coin').value === 'ART'
  at('amount-label').textContent = isNft ? 'Number' : 'Amount'
  at('faucet').disabled = isNft
}

async function carryOut(what, path, body) {
  at('submit').disabled = true
  say(`${what} …`)
  try {
    const { hash } = await ask(path, body)
    await refresh()
    say(`Done. Transaction ${hash}`)
  } catch (error) {
    say(error.message, true)
  }
  at('submit').disabled = false
}

at('person').addEventListener('change', show)
at('coin').addEventListener('change', label)
at('copy').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(chosen().address)
    say('Address copied.')
  } catch {
    // Only pages on https or on localhost can use the clipboard, so select the text instead.
    getSelection().selectAllChildren(at('address'))
    say('This browser does not let the page copy. The address is selected; copy it by hand.', true)
  }
})
at('send').addEventListener('submit', (event) => {
  event.preventDefault()
  const { to, amount, coin } = Object.fromEntries(new FormData(event.target))
  carryOut(coin === 'ART' ? `Sending number ${amount}` : `Sending ${amount} ${coin}`, 'send', { from: chosen().address, to, coin, amount })
})
at('faucet').addEventListener('click', () => {
  const coin = at('coin').value
  carryOut(`Giving ${coin}`, 'faucet', { to: chosen().address, coin })
})

at('to').value = wanted.get('to') ?? ''
at('amount').value = wanted.get('amount') ?? ''
refresh().catch((error) => say(error.message, true))
setInterval(() => document.hidden || refresh().catch((error) => say(error.message, true)), 5000)
