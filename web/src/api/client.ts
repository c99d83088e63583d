import { useSession } from '@/session/session'
import { notifySessionEnd } from '@/session/sessionEnd'
import { type ApiSession, createApi } from './createApi'

export { completed, read, serialize } from './createApi'

/** The session of the user. */
export const userSession: ApiSession = {
  token: () => useSession.getState().token,
  ended: (window) =>
    notifySessionEnd(window === null ? { why: 'expired' } : { why: 'maintenance', ...window }),
}

/** The API with the session of the user. Calls throw `ApiError`; unwrap their envelope with `read`. */
export const api = createApi(userSession)
