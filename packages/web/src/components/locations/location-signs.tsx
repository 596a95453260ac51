import { Building2, Cloud, Factory, House, MapPin, Server, Store, Warehouse, type LucideIcon } from 'lucide-react'

interface LocationSign {
  /** What stands in the field `icon`. */
  icon: string
  label: string
  sign: LucideIcon
}

const pin: LocationSign = { icon: 'location', label: 'Pin', sign: MapPin }

/** The signs that people choose from for a private location. */
export const locationSigns: readonly LocationSign[] = [
  pin,
  { icon: 'building', label: 'Office', sign: Building2 },
  { icon: 'server', label: 'Server', sign: Server },
  { icon: 'cloud', label: 'Cloud', sign: Cloud },
  { icon: 'factory', label: 'Plant', sign: Factory },
  { icon: 'warehouse', label: 'Warehouse', sign: Warehouse },
  { icon: 'store', label: 'Shop', sign: Store },
  { icon: 'home', label: 'Home', sign: House },
]

/** The sign of a location; the pin where the API was told of another one. */
export function LocationIcon({ icon }: { icon: string }) {
  const { sign: Sign } = locationSigns.find((each) => each.icon === icon) ?? pin
  return <Sign aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
}
