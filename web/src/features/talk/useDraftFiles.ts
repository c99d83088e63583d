import { onlineManager } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { UploadedFile } from '@/api/types'
import { type Uploads, useUploads } from '@/components/files/useUploads'
import { own } from '@/session/own'

/** The maximum number of files of a message, and of videos among them. */
export const MOST_FILES = 5
const MOST_VIDEOS = 1

interface Draft {
  /** The files that are uploaded and not sent. */
  files: readonly UploadedFile[]
  /** The number of files that were not uploaded. */
  unfinished: number
}

const NONE: Draft = { files: [], unfinished: 0 }
const nameOf = (orderId: string) => `draft_files ${orderId}`

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'files' in value &&
    Array.isArray(value.files) &&
    'unfinished' in value &&
    typeof value.unfinished === 'number'
  )
}

function stored(orderId: string): Draft {
  try {
    const draft: unknown = JSON.parse(own.get(nameOf(orderId)) ?? 'null')
    return isDraft(draft) ? draft : NONE
  } catch {
    return NONE
  }
}

const isVideo = (file: File) => file.type.startsWith('video/')

/** The files of a message that is being written. */
export interface DraftFiles {
  uploads: Uploads
  /** The files that the message will carry. */
  files: readonly UploadedFile[]
  /** The number of files that were not uploaded before the page was closed. */
  lost: number
  /** Adds files. Returns `false` if a message can't carry all of them; those that fit are added. */
  add: (files: readonly File[]) => boolean
  clear: () => void
}

/** Uploads the files of a message to an order's conversation, and keeps those that are uploaded when the page is closed. */
export function useDraftFiles(orderId: string): DraftFiles {
  const [before] = useState(() => stored(orderId))
  const [lost, setLost] = useState(before.unfinished)
  const uploads = useUploads(MOST_FILES, before.files)
  const { items, retry } = uploads
  const files = items.flatMap(({ file }) => (file === null ? [] : [file]))

  useEffect(() => {
    const kept = items.flatMap(({ file }) => (file === null ? [] : [file]))
    const draft: Draft = { files: kept, unfinished: items.length - kept.length }
    if (items.length === 0) own.remove(nameOf(orderId))
    else own.set(nameOf(orderId), JSON.stringify(draft))
  }, [orderId, items])

  // What failed without a connection is tried again when it is back.
  useEffect(() =>
    onlineManager.subscribe((online) => {
      if (!online) return
      for (const { key, fault } of items) if (fault === 'offline') retry(key)
    }),
  )

  const add = (more: readonly File[]) => {
    const videos = items.filter(({ kind }) => kind === 'video').length
    const allowed = new Set(more.filter(isVideo).slice(0, Math.max(0, MOST_VIDEOS - videos)))
    const fitting = more
      .filter((file) => !isVideo(file) || allowed.has(file))
      .slice(0, MOST_FILES - items.length)
    setLost(0)
    if (fitting.length > 0) uploads.add(fitting)
    return fitting.length === more.length
  }
  const clear = () => {
    setLost(0)
    uploads.clear()
  }
  return { uploads, files, lost, add, clear }
}
