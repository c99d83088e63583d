import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Appeal, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { type EvidenceUploads, hasFailed, isBusy, isEmpty } from './EvidenceFields'

interface Adding {
  id: string
  version: number
  pictures: readonly string[]
  videos: readonly string[]
}

/** Adds uploaded pictures and videos to an appeal. */
export function useAddEvidence(order: Order, evidence: EvidenceUploads, done: () => void) {
  const add = useCommand({
    run: ({ id, version, pictures, videos }: Adding, headers) =>
      read(
        api.POST('/c2c/appeal/evidence/{id}', {
          params: { path: { id } },
          body: { version, pictures: [...pictures], videos: [...videos] },
          headers,
        }),
      ),
    touches: [keys.orders],
    done,
  })
  return {
    busy: add.busy || isBusy(evidence),
    submit: ({ id }: Appeal) => {
      if (isEmpty(evidence) || hasFailed(evidence)) return
      // The order may have changed by this command, so one with an unknown outcome is repeated as it is.
      const version = add.pending?.version ?? order.version
      add.send({ id, version, pictures: evidence.pictures.ids, videos: evidence.videos.ids })
    },
  }
}
