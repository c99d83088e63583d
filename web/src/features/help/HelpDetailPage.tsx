import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { AppLink, useQueryParam } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { EmptyState } from '@/ui/State'
import { ARTICLES, type ArticleId } from './articles'
import { Disputes } from './Disputes'
import { OrderRecords } from './OrderRecords'

const CONTENT: Record<ArticleId, () => ReactNode> = { disputes: Disputes, 'order-record': OrderRecords }

export default function HelpDetailPage() {
  const { i18n, t } = useLingui()
  const id = useQueryParam('id')
  const article = ARTICLES.find((one) => one.id === id)
  if (article === undefined) {
    return (
      <EmptyState
        title={t`There is no such article`}
        action={
          <AppLink to="/helpList" className={buttonClass('plain', 'normal', false)}>
            <Trans>All articles</Trans>
          </AppLink>
        }
      />
    )
  }
  const Content = CONTENT[article.id]
  return (
    <article className="mx-auto flex max-w-2xl flex-col gap-4 pt-2">
      <h2 className="font-bold text-[1.65rem] leading-tight tracking-tight">{i18n._(article.title)}</h2>
      <Content />
    </article>
  )
}
