import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryError } from '@/command/QueryError'
import { SUPPORTED_LANGUAGES } from '@/i18n/catalogs'
import { Segments } from '@/ui/Chip'
import { Skeleton } from '@/ui/Skeleton'
import { InfoDialog } from '../InfoDialog'
import { TEMPLATES, textOf, textsIn } from './templates'

const ALL = 'all'

/** The texts that officers send often, in the languages of the readers. */
export function TemplatesDialog({ pick, onClose }: { pick: (text: string) => void; onClose: () => void }) {
  const { i18n, t } = useLingui()
  const [language, setLanguage] = useState(ALL)
  const query = useQuery({
    queryKey: ['templates'],
    queryFn: () => textsIn(SUPPORTED_LANGUAGES),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const texts = query.data?.filter(({ locale }) => language === ALL || locale === language)
  return (
    <InfoDialog title={t`Templates`} onClose={onClose}>
      <p className="text-muted">
        <Trans>Choose a text. You can change it before you send it.</Trans>
      </p>
      <Segments
        name="language"
        label={t`Language of the readers`}
        value={language}
        onChange={setLanguage}
        options={[
          { value: ALL, label: t`All languages` },
          ...SUPPORTED_LANGUAGES.map(({ tag, name }) => ({ value: tag, label: name })),
        ]}
      />
      {texts === undefined ? (
        query.isError ? (
          <QueryError error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton className="h-64 w-full rounded-2xl" />
        )
      ) : (
        <ul className="flex flex-col gap-2">
          {TEMPLATES.map((template) => (
            <li key={template.id}>
              <button
                type="button"
                onClick={() => pick(textOf(template, texts))}
                className="flex w-full flex-col gap-1 rounded-2xl border border-line px-4 py-3 text-left hover:border-brand"
              >
                <span className="font-semibold">{i18n._(template.title)}</span>
                {texts.map((text) => (
                  <span key={text.locale} lang={text.locale} className="text-muted text-sm leading-relaxed">
                    {textOf(template, [text])}
                  </span>
                ))}
              </button>
            </li>
          ))}
        </ul>
      )}
    </InfoDialog>
  )
}
