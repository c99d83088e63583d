import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { choose, OFFERED, useLanguageStore } from '@/i18n/catalogs'
import { pickerLanguages } from '@/i18n/languages'
import { Sheet } from '@/ui/Sheet'

/** Each language by its own name, so that one finds it whatever is on screen now. */
export default function LanguageSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const shown = useLanguageStore((state) => state.language)
  return (
    <Sheet open={open} onClose={onClose} title={t`Language`}>
      <ul className="max-h-[515px] pb-2">
        {pickerLanguages(OFFERED).map((language) => {
          const on = language.code === shown.code
          return (
            <li key={language.code}>
              <button
                type="button"
                lang={language.tag}
                aria-pressed={on}
                onClick={() => void choose(language).then(onClose)}
                className={`flex min-h-13 w-full items-center justify-between rounded-xl px-2 text-left ${on ? 'font-semibold text-brand' : ''}`}
              >
                {language.name}
                {on ? <Check size={20} aria-hidden="true" /> : null}
              </button>
            </li>
          )
        })}
      </ul>
    </Sheet>
  )
}
