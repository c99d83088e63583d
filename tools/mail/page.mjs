// The page that shows the emails.

const STYLE = `
  :root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 14%, transparent); }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 44rem; padding: 1rem; }
  h1 { font-size: 1.25rem; }
  details { border: 1px solid var(--line); border-radius: .75rem; margin: .75rem 0; padding: .75rem 1rem; }
  summary { cursor: pointer; }
  summary span { display: block; opacity: .7; font-size: .875rem; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  iframe { border: 0; width: 100%; height: 24rem; background: white; border-radius: .5rem; }
  p.none { opacity: .7; }
`

function escape(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return String(text).replace(/[&<>"']/g, (character) => names[character])
}

function mailEntry(mail, index) {
  // The HTML of an email is shown in a frame that can neither run scripts nor access this page.
  const body = mail.text
    ? `<pre>${escape(mail.text)}</pre>`
    : `<iframe sandbox="" title="The mail" srcdoc="${escape(mail.html)}"></iframe>`
  return `<details data-number="${Number(mail.number)}" ${index === 0 ? 'open' : ''}>
    <summary><strong>${escape(mail.subject || '(no subject)')}</strong>
      <span>to ${escape(mail.to.join(', '))} · ${escape(mail.receivedAt.replace('T', ' ').slice(0, 19))} UTC</span>
    </summary>${body}</details>`
}

export function mailsPage(mails) {
  const list = mails.length ? mails.map(mailEntry).join('') : '<p class="none">No mail yet.</p>'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Mails</title><style>${STYLE}</style><script src="/page.js" type="module"></script></head>
    <body><main><h1>Mails that the product sent</h1><div id="mails">${list}</div></main></body></html>`
}

/** Adds new emails automatically, and keeps the existing ones opened or folded as they are. */
export const SCRIPT = `
  const list = document.getElementById('mails')
  async function look() {
    if (document.hidden) return
    const answer = await fetch('/', { cache: 'no-store' })
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const known = new Set(Array.from(list.querySelectorAll('details'), (mail) => mail.dataset.number))
    const fresh = Array.from(page.querySelectorAll('#mails > details')).filter(
      (mail) => !known.has(mail.dataset.number),
    )
    if (fresh.length === 0) return
    list.querySelector('.none')?.remove()
    list.prepend(...fresh)
  }
  setInterval(() => look().catch(() => {}), 3000)
`
