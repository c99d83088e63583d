import { useLingui } from '@lingui/react/macro'
import { Film, TriangleAlert } from 'lucide-react'
import type { UploadedFile } from '@/api/types'
import { Picture } from '@/components/files/Picture'

/** Files as small pictures, each of which opens the viewer. A receipt that was used before is marked. */
export function Thumbnails({
  files,
  title,
  show,
  renew,
}: {
  files: readonly UploadedFile[]
  title: string
  show: (file: string) => void
  /** Reads the links to the files again, because they have expired. */
  renew: () => void
}) {
  const { t } = useLingui()
  return (
    <ul className="flex flex-wrap gap-2">
      {files.map((file, index) => (
        <li key={file.id} className="flex w-20 flex-col gap-1">
          <button
            type="button"
            aria-label={t`Enlarge: ${title} ${index + 1}`}
            onClick={() => show(file.id)}
            className={`relative grid size-20 place-items-center overflow-hidden rounded-xl border bg-sunken text-muted transition-opacity hover:opacity-80 ${file.usedBefore ? 'border-2 border-sell' : 'border-line'}`}
          >
            {file.kind === 'VIDEO' ? (
              <Film size={26} aria-hidden="true" />
            ) : (
              <Picture file={file} alt="" className="size-full object-cover" renew={renew} />
            )}
          </button>
          {file.usedBefore ? (
            <span className="flex items-center gap-1 text-sell text-xs">
              <TriangleAlert size={12} className="shrink-0" aria-hidden="true" />
              {t`Used before`}
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
