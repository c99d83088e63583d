import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Award,
  BadgeCheck,
  Banknote,
  CalendarClock,
  Gauge,
  Gavel,
  type LucideIcon,
  Megaphone,
  Scale,
  ScrollText,
  UserCog,
  Users,
} from 'lucide-react'

/** A section of the console. An officer sees it if the role may make its call. */
export interface Section {
  path: string
  title: MessageDescriptor
  /** The call that loads the section. */
  call: string
  /** The key that opens it after `g`. */
  key: string
  icon: LucideIcon
}

/** The sections in the order of the menu. The first one that an officer sees is the start page. */
export const SECTIONS: readonly Section[] = [
  { path: '/ops/dashboard', title: msg`Dashboard`, call: 'get /ops/dashboard', key: 'h', icon: Gauge },
  { path: '/ops/appeals', title: msg`Appeals`, call: 'get /ops/appeals', key: 'c', icon: Gavel },
  { path: '/ops/users', title: msg`Users`, call: 'get /ops/users', key: 'u', icon: Users },
  { path: '/ops/nicknames', title: msg`Nicknames`, call: 'get /ops/nicknames', key: 'n', icon: BadgeCheck },
  {
    path: '/ops/certifications',
    title: msg`Certifications`,
    call: 'get /ops/certifications',
    key: 'f',
    icon: Award,
  },
  { path: '/ops/ads', title: msg`Ads`, call: 'get /ops/adverts', key: 'd', icon: Megaphone },
  { path: '/ops/payouts', title: msg`Payouts`, call: 'get /ops/payouts', key: 'p', icon: Banknote },
  { path: '/ops/pairs', title: msg`Pairs`, call: 'get /ops/pairs', key: 'm', icon: Scale },
  {
    path: '/ops/maintenance',
    title: msg`Maintenance`,
    call: 'get /ops/maintenance',
    key: 't',
    icon: CalendarClock,
  },
  { path: '/ops/officers', title: msg`Officers`, call: 'get /ops/officers', key: 'o', icon: UserCog },
  { path: '/ops/audit', title: msg`Audit log`, call: 'get /ops/audit', key: 'a', icon: ScrollText },
]

/** Returns the section of a path. */
export function sectionOf(pathname: string): Section | null {
  return SECTIONS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`)) ?? null
}
