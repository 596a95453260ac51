import {
  Activity,
  Bell,
  Braces,
  FastForward,
  FileCode2,
  FileKey2,
  Folder,
  MapPin,
  Send,
  Settings,
  type LucideIcon,
} from 'lucide-react'

export interface Place {
  to:
    | '/'
    | '/groups'
    | '/alerts'
    | '/channels'
    | '/variables'
    | '/snippets'
    | '/certificates'
    | '/locations'
    | '/sessions'
    | '/settings'
  label: string
  icon: LucideIcon
}

/** The pages of the app, as the side bar, the bottom bar and the command palette list them. */
export const places: readonly Place[] = [
  { to: '/', label: 'Checks', icon: Activity },
  { to: '/groups', label: 'Groups', icon: Folder },
  { to: '/alerts', label: 'Alerts', icon: Bell },
  { to: '/channels', label: 'Channels', icon: Send },
  { to: '/variables', label: 'Variables', icon: Braces },
  { to: '/snippets', label: 'Snippets', icon: FileCode2 },
  { to: '/certificates', label: 'Certificates', icon: FileKey2 },
  { to: '/locations', label: 'Locations', icon: MapPin },
  { to: '/sessions', label: 'Sessions', icon: FastForward },
  { to: '/settings', label: 'Settings', icon: Settings },
]
