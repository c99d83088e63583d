import { Trans, useLingui } from '@lingui/react/macro'
import { BadgeCheck, UserCheck, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { SelectField } from '@/ui/Field'
import { Switch } from '@/ui/Switch'
import type { HallFilter } from '../hallState'
import { MethodsField } from './MethodsField'
import { useFilterOptions } from './useFilterOptions'

/** The filters by what the advertiser is, accepts and requires. */
export function TraderFilters({
  hall,
  onChange,
}: {
  hall: HallFilter
  onChange: (change: Partial<HallFilter>) => void
}) {
  const { t } = useLingui()
  const { methods, regions } = useFilterOptions(hall)
  return (
    <div>
      {methods.length > 0 ? (
        <MethodsField
          aboveBar
          options={methods}
          chosen={hall.methods}
          onChange={(chosen) => onChange({ methods: chosen })}
        />
      ) : null}
      <SelectField
        label={t`Region`}
        value={hall.region}
        options={regions.map(([value, label]) => ({ value, label }))}
        onChange={(region) => onChange({ region })}
      />
      <Only
        icon={<BadgeCheck size={20} aria-hidden="true" />}
        label={t`Certified traders only`}
        note={<Trans>With an official guarantee.</Trans>}
        on={hall.certified}
        onChange={(certified) => onChange({ certified })}
      />
      <Only
        icon={<Zap size={20} aria-hidden="true" />}
        label={t`Fast traders only`}
        note={<Trans>They confirm payments in less than 30 minutes on average.</Trans>}
        on={hall.fast}
        onChange={(fast) => onChange({ fast })}
      />
      <Only
        icon={<UserCheck size={20} aria-hidden="true" />}
        label={t`Only ads I can order from`}
        note={<Trans>Leaves out ads whose requirements you don’t meet.</Trans>}
        on={hall.requirementsMet}
        onChange={(requirementsMet) => onChange({ requirementsMet })}
      />
    </div>
  )
}

function Only({
  icon,
  label,
  note,
  on,
  onChange,
}: {
  icon: ReactNode
  label: string
  note: ReactNode
  on: boolean
  onChange: (on: boolean) => void
}) {
  return (
    <div className="flex items-center gap-3 py-2">
      <span className="shrink-0 text-muted">{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{label}</p>
        <p className="text-muted text-sm leading-snug">{note}</p>
      </div>
      <Switch on={on} label={label} onChange={onChange} />
    </div>
  )
}
