// Shows notifications on devices where a page cannot, such as phones. It answers no requests and stores nothing.

addEventListener('install', () => skipWaiting())

// It can lead only those windows to another address that it controls.
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(follow(event.notification.data?.path))
})

/** Leads a window to what a notification is about, or opens one. The console of officers keeps its windows. */
async function follow(path) {
  const url = new URL(String(path ?? '/'), location.origin)
  if (url.origin !== location.origin) return
  const windows = await clients.matchAll({ type: 'window' })
  const own = windows.filter((one) => !/^\/console(?:\/|$)/.test(new URL(one.url).pathname))
  const [first] = own
  const showing = own.find((one) => one.url === url.href)
  try {
    if (showing !== undefined) await showing.focus()
    else if (first === undefined) await clients.openWindow(url)
    else await (await first.focus()).navigate(url)
  } catch {
    await clients.openWindow(url)
  }
}
