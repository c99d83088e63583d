import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { chooseLanguage, SUPPORTED_LANGUAGES, useLanguageStore } from '@/i18n/catalogs'
import { type Language, pickerLanguages } from '@/i18n/languages'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'

/** Lists each language by its own name, so that users find theirs whatever the current language is. */
export default function LanguageSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const shown = useLanguageStore((state) => state.language)
  const choose = async (language: Language) => {
    try {
      await chooseLanguage(language)
      onClose()
    } catch {
      toast(t`The language couldn’t be loaded. Check your connection and try again.`)
    }
  }
  return (
    <Sheet open={open} onClose={onClose} title={t`Language`}>
      <ul className="max-h-[515px] pb-2">
        {pickerLanguages(SUPPORTED_LANGUAGES).map((language) => {
          const on = language.code === shown.code
          return (
            <li key={language.code}>
              <button
                type="button"
                lang={language.tag}
                aria-pressed={on}
                onClick={() => void choose(language)}
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
