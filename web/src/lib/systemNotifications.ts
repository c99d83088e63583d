/** Notifications of the operating system, which Chrome for Android shows only through a service worker. */

const WORKER = '/notifications.js'

/** Returns the worker's registration, or null if the browser has no worker for this page. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  try {
    await navigator.serviceWorker.register(WORKER)
    // Only an active worker shows notifications.
    return await navigator.serviceWorker.ready
  } catch {
    return null
  }
}

/** Returns whether the page can show notifications itself. Before the user has allowed them, the attempt shows nothing. */
function isConstructible(): boolean {
  try {
    new Notification('MEC2C').close()
    return true
  } catch {
    return false
  }
}

/** What the user has decided, or that the browser shows no notifications of pages. */
export type NotificationAccess = NotificationPermission | 'unsupported'

export function notificationAccess(): NotificationAccess {
  return 'Notification' in window ? Notification.permission : 'unsupported'
}

/** Asks the user to allow notifications, and prepares to show them. */
export async function allowNotifications(): Promise<NotificationAccess> {
  const constructible = isConstructible()
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission
  return (await worker()) === null && !constructible ? 'unsupported' : permission
}

export interface SystemNotification {
  body: string
  /** One with the same tag replaces it. */
  tag: string
  /** Where a tap leads to. */
  path: string
}

/** Shows a notification that the user has allowed. Fails where the browser cannot show it. */
export async function showNotification({ body, tag, path }: SystemNotification): Promise<void> {
  const registration = await worker()
  if (registration !== null) {
    await registration.showNotification('MEC2C', { body, tag, data: { path } })
    return
  }
  const notification = new Notification('MEC2C', { body, tag })
  notification.addEventListener('click', () => {
    window.focus()
    location.assign(path)
  })
}
