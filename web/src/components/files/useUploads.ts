import { useEffect, useRef, useState } from 'react'
import { isApiError } from '@/api/envelope'
import type { UploadedFile } from '@/api/types'
import { type UploadKind, upload } from '@/api/upload'
import { acceptablePicture, MOST_VIDEO_BYTES, UnreadablePicture } from '@/lib/picture'
import { uuid } from '@/lib/uuid'

/** Why a file was not uploaded. */
export type UploadFault =
  | 'unreadable'
  | 'tooLarge'
  | 'tooLong'
  | 'tooMany'
  | 'tooMuch'
  | 'refused'
  | 'offline'

export interface Upload {
  /** Identifies the upload, and is its idempotency key. */
  key: string
  kind: UploadKind
  name: string
  /** The address of the picture to show; empty for a video. */
  preview: string
  /** The share that has been sent, from 0 to 1. */
  progress: number
  /** Present once the server has stored the file. */
  file: UploadedFile | null
  fault: UploadFault | null
}

export interface Uploads {
  items: readonly Upload[]
  /** The ids of the stored files. */
  ids: readonly string[]
  /** Whether a file is being sent. */
  busy: boolean
  /** Whether a file was not uploaded. */
  failed: boolean
  /** Whether no more files can be added. */
  full: boolean
  add: (files: readonly File[]) => void
  retry: (key: string) => void
  remove: (key: string) => void
  /** Removes all files, for example because they are attached now. */
  clear: () => void
}

interface Work {
  source: File
  /** The file to send, once it is prepared. A retry sends the same bytes. */
  prepared: Blob | null
  /** The address of the picture to show; empty for a video. */
  preview: string
  abort: AbortController
}

/** Ends an upload that is no longer wanted, and frees its preview. */
function discard({ abort, preview }: Work): void {
  abort.abort()
  if (preview !== '') URL.revokeObjectURL(preview)
}

const KNOWN: Record<string, UploadFault> = {
  'not a picture': 'unreadable',
  'not a video': 'unreadable',
  animated: 'unreadable',
  damaged: 'unreadable',
  truncated: 'unreadable',
  'too many pixels': 'tooLarge',
  'too long': 'tooLong',
  'too many unused files': 'tooMany',
  'too much today': 'tooMuch',
}

/** Returns what to tell the user about a failed upload. */
export function faultOf(error: unknown): UploadFault {
  if (error instanceof UnreadablePicture) return 'unreadable'
  if (!isApiError(error)) return 'refused'
  if (error.code === '413') return 'tooLarge'
  if (error.outcomeUnknown) return 'offline'
  const { data } = error
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : null
  return (typeof reason === 'string' ? KNOWN[reason] : undefined) ?? 'refused'
}

function stored(file: UploadedFile): Upload {
  const kind = file.kind === 'VIDEO' ? 'video' : 'image'
  const preview = kind === 'image' ? file.url : ''
  return { key: file.id, kind, name: '', preview, progress: 1, file, fault: null }
}

/** Uploads files as soon as they are added: at most `most`, beginning with files that are already stored. */
export function useUploads(most: number, known: readonly UploadedFile[] = []): Uploads {
  const [items, setItems] = useState<readonly Upload[]>(() => known.map(stored))
  // Files can be added twice before the first render.
  const latest = useRef(items)
  const update = (change: (before: readonly Upload[]) => readonly Upload[]) => {
    latest.current = change(latest.current)
    setItems(latest.current)
  }
  const works = useRef(new Map<string, Work>())
  const change = (key: string, changes: Partial<Upload>) =>
    update((before) => before.map((one) => (one.key === key ? { ...one, ...changes } : one)))

  useEffect(() => {
    const all = works.current
    return () => {
      for (const work of all.values()) discard(work)
    }
  }, [])

  const send = async (key: string, kind: UploadKind, work: Work) => {
    const { signal } = work.abort
    try {
      if (kind === 'video' && work.source.size > MOST_VIDEO_BYTES) {
        change(key, { fault: 'tooLarge' })
        return
      }
      work.prepared ??= kind === 'image' ? await acceptablePicture(work.source) : work.source
      // The file may have been removed while it was prepared.
      signal.throwIfAborted()
      const onProgress = (progress: number) => change(key, { progress })
      const file = await upload(kind, work.prepared, { key, signal, onProgress })
      change(key, { file, progress: 1 })
    } catch (error) {
      if (!signal.aborted) change(key, { fault: faultOf(error) })
    }
  }

  const add = (files: readonly File[]) => {
    const room = Math.max(0, most - latest.current.length)
    const fresh = files.slice(0, room).map((source): [Upload, Work] => {
      const kind = source.type.startsWith('video/') ? 'video' : 'image'
      const preview = kind === 'image' ? URL.createObjectURL(source) : ''
      const shown = {
        key: uuid(),
        kind,
        name: source.name,
        preview,
        progress: 0,
        file: null,
        fault: null,
      } as const
      return [shown, { source, prepared: null, preview, abort: new AbortController() }]
    })
    update((before) => [...before, ...fresh.map(([item]) => item)])
    for (const [item, work] of fresh) {
      works.current.set(item.key, work)
      void send(item.key, item.kind, work)
    }
  }

  const retry = (key: string) => {
    const item = items.find((one) => one.key === key)
    const work = works.current.get(key)
    if (item === undefined || work === undefined) return
    change(key, { fault: null, progress: 0 })
    void send(key, item.kind, work)
  }

  const remove = (key: string) => {
    const work = works.current.get(key)
    if (work !== undefined) discard(work)
    works.current.delete(key)
    update((before) => before.filter((one) => one.key !== key))
  }

  const clear = () => {
    for (const { key } of latest.current) remove(key)
  }

  return {
    items,
    ids: items.flatMap(({ file }) => (file === null ? [] : [file.id])),
    busy: items.some(({ file, fault }) => file === null && fault === null),
    failed: items.some(({ fault }) => fault !== null),
    full: items.length >= most,
    add,
    retry,
    remove,
    clear,
  }
}
