import { useLingui } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import { AppLink } from '@/navigation/navigation'
import { ARTICLES } from './articles'

export default function HelpListPage() {
  const { i18n } = useLingui()
  return (
    <ul className="flex flex-col gap-3 pt-2">
      {ARTICLES.map((article) => (
        <li key={article.id}>
          <AppLink
            to="/helpDetail"
            query={{ id: article.id }}
            className="flex items-center justify-between gap-3 rounded-3xl bg-surface p-4 xs:p-5"
          >
            <span className="min-w-0">
              <span className="block font-semibold">{i18n._(article.title)}</span>
              <span className="mt-1 block text-muted text-sm leading-relaxed">{i18n._(article.text)}</span>
            </span>
            <ChevronRight size={18} className="shrink-0 text-muted" aria-hidden="true" />
          </AppLink>
        </li>
      ))}
    </ul>
  )
}
