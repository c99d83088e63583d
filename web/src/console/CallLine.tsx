import { CopyButton } from '@/ui/CopyButton'

/** A part of a transaction that an administrator sends with a key that the platform does not have. */
export function CallLine({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-center gap-3">
      <span className="w-16 shrink-0 text-muted">{label}</span>
      <code className="min-w-0 flex-1 break-all">{value}</code>
      <CopyButton text={value} what={label} />
    </div>
  )
}
