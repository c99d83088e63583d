import { Trans } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { useShortcuts } from './shortcuts'

/** A field for a search, which / focuses. */
export function SearchField({
  label,
  hint,
  asked,
  search,
  autoFocus = false,
}: {
  label: string
  hint: string
  /** What was searched for last; empty before. */
  asked: string
  search: (text: string) => void
  autoFocus?: boolean
}) {
  const [text, setText] = useState(asked)
  const form = useRef<HTMLFormElement>(null)
  useShortcuts({ '/': () => form.current?.querySelector('input')?.focus() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(text.trim())
  }
  return (
    <form ref={form} role="search" onSubmit={submit} className="flex items-start gap-3">
      <div className="max-w-xl flex-1">
        <TextField
          label={label}
          type="search"
          value={text}
          onChange={setText}
          hint={hint}
          autoFocus={autoFocus}
        />
      </div>
      <Button type="submit" className="mt-7">
        <Search size={18} aria-hidden="true" />
        <Trans>Search</Trans>
      </Button>
    </form>
  )
}
