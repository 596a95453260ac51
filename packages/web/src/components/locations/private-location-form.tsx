import { useMutation } from '@tanstack/react-query'
import { slugFromName, type PrivateLocation, type PrivateLocationBase } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { ApiFailure, call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field, inputLook } from '../../ui/field.tsx'
import { Fault } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { locationSigns } from './location-signs.tsx'
import { useLocationsChanged } from './private-locations-query.ts'

interface Props {
  /** The location to change; without one the form makes one. */
  location?: PrivateLocation
  onDone: (saved: PrivateLocationBase) => void
}

/** Makes a private location, or changes one. Its slug is chosen once, because checks and results go by it. */
export function PrivateLocationForm({ location, onDone }: Props) {
  const [name, setName] = useState(location?.name ?? '')
  const [slug, setSlug] = useState<string>()
  const [icon, setIcon] = useState(location?.icon ?? 'location')
  const [proxy, setProxy] = useState(location?.proxyUrl ?? '')
  const changed = useLocationsChanged()
  const slugName = slug ?? slugFromName(name) ?? ''
  const save = useMutation({
    mutationFn: () => {
      const sent = { name, icon, proxyUrl: proxy === '' ? null : proxy }
      return location === undefined
        ? call<PrivateLocationBase>('POST', '/v1/private-locations', { ...sent, slugName })
        : call<PrivateLocationBase>('PUT', `/v1/private-locations/${location.id}`, sent)
    },
    onSuccess: async (saved) => {
      if (location !== undefined) toast(`Changed ${saved.name}.`)
      onDone(saved)
      await changed()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const keys = save.error instanceof ApiFailure ? save.error.keys : []
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Name" faulty={keys.includes('name')}>
        {(control) => (
          <input
            {...control}
            required
            className={inputLook}
            value={name}
            placeholder="Office Berlin"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Slug"
        faulty={keys.includes('slugName')}
        help={location ? 'It never changes.' : 'Checks and results name the location by it. It never changes.'}
      >
        {(control) => (
          <input
            {...control}
            required
            disabled={location !== undefined}
            className={`${inputLook} font-mono`}
            value={location?.slugName ?? slugName}
            onChange={(event) => setSlug(event.target.value)}
          />
        )}
      </Field>
      <Field label="Sign">
        {(control) => (
          <Select {...control} value={icon} onChange={(event) => setIcon(event.target.value)}>
            {locationSigns.map((each) => (
              <option key={each.icon} value={each.icon}>
                {each.label}
              </option>
            ))}
            {!locationSigns.some((each) => each.icon === icon) && <option>{icon}</option>}
          </Select>
        )}
      </Field>
      <ProxyField value={proxy} onChange={setProxy} faulty={keys.includes('proxyUrl')} />
      {save.isError && <Fault text={save.error.message} />}
      <div>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          {location === undefined ? 'Add location' : 'Save location'}
        </Button>
      </div>
    </form>
  )
}

interface ProxyFieldProps {
  value: string
  onChange: (value: string) => void
  faulty: boolean
}

function ProxyField({ value, onChange, faulty }: ProxyFieldProps) {
  const help =
    'Empty where agents reach their targets directly. User and password may stand in the address, {{VARIABLES}} too; once saved they are shown as ******.'
  return (
    <Field label="Proxy for API checks" faulty={faulty} help={help}>
      {(control) => (
        <input
          {...control}
          className={`${inputLook} font-mono`}
          autoComplete="off"
          value={value}
          placeholder="http://proxy.example:3128"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
