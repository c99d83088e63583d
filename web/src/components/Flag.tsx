import { useState } from 'react'
import { useLanguageStore } from '@/i18n/catalogs'

const FLAGS: string = import.meta.env['FLAGS']

/** The flag of a two-letter country code, labeled with the country's name. */
export function Flag({ code }: { code: string }) {
  const tag = useLanguageStore((state) => state.language.tag)
  const [missing, setMissing] = useState(false)
  if (missing || !/^[A-Z]{2}$/.test(code)) return null
  const name = new Intl.DisplayNames([tag], { type: 'region', fallback: 'code' }).of(code) ?? code
  return (
    <img
      src={`${FLAGS}/${code}.svg`}
      alt={name}
      title={name}
      width={18}
      height={12}
      loading="lazy"
      decoding="async"
      onError={() => setMissing(true)}
      className="inline-block h-3 w-4.5 shrink-0 rounded-[2px]"
    />
  )
}
