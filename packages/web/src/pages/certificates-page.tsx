import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ClientCertificate } from '@vedette/wire'
import { FileKey2, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { call } from '../api/client.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { Moment, useNow } from '../components/time/time-text.tsx'
import { refusedFields } from '../form/refused.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { areaLook, Field, inputLook } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast, toastUndo } from '../ui/toast.ts'

/** Certificates that checks present to servers that ask for one. */
export function CertificatesPage() {
  const certificates = useQuery({
    queryKey: ['client-certificates'],
    queryFn: () => call<ClientCertificate[]>('GET', '/v1/client-certificates'),
  })
  return (
    <>
      <PagePlaceOf title="Certificates" />
      <h1 className="text-xl font-semibold tracking-tight">Client certificates</h1>
      <p className="mb-3 text-ink-soft">
        API checks present them to servers that ask for one. The newest for a host counts, and one for the host alone
        before those with <code className="font-mono">*</code>.
      </p>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_32rem]">
        <Panel title="All certificates" isFlush>
          {certificates.isError && (
            <div className="px-4 pb-3">
              <Fault text={certificates.error.message} onRetry={() => void certificates.refetch()} />
            </div>
          )}
          {certificates.isPending && <Skeleton label="Reading certificates" className="px-4 pb-3" />}
          {certificates.data?.length === 0 && (
            <EmptyState icon={<FileKey2 />} title="There are none yet">
              With a client certificate, checks reach servers that let in only callers they know.
            </EmptyState>
          )}
          <ul aria-label="Certificates" className="divide-y divide-line">
            {certificates.data?.map((certificate) => (
              <CertificateRow key={certificate.id} certificate={certificate} />
            ))}
          </ul>
        </Panel>
        <Panel title="New certificate">
          <CertificateForm />
        </Panel>
      </div>
    </>
  )
}

const dayMs = 86_400_000
const soonDays = 30

function CertificateRow({ certificate: { id, host, subject, expiresAt } }: { certificate: ClientCertificate }) {
  const remove = useRemoveCertificate(id, host)
  const leftMs = Date.parse(expiresAt) - useNow(60_000)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <code className="font-mono text-sm font-semibold break-all">{host}</code>
          {leftMs <= 0 && <Badge tone="fail">expired</Badge>}
          {leftMs > 0 && leftMs < soonDays * dayMs && <Badge tone="degraded">expires soon</Badge>}
        </p>
        <p className="text-sm break-words text-ink-soft">
          {subject}, until <Moment at={expiresAt} />
        </p>
      </div>
      <IconButton
        label={`Delete the certificate for ${host}`}
        icon={<Trash2 className="size-4" />}
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  )
}

const nothing = { host: '', cert: '', key: '', passphrase: '', ca: '' }
type Draft = typeof nothing

/** The parts of a certificate in PEM form, as the form asks for them. */
const pemFields = [
  { name: 'cert', label: 'Certificate', help: 'PEM, followed by those between it and its root.', required: true },
  { name: 'key', label: 'Private key', help: 'PEM. Stored encrypted and never shown again.', required: true },
  {
    name: 'ca',
    label: 'Authorities',
    help: 'PEM. Trusted for this host besides the usual ones; leave it empty for a public host.',
    required: false,
  },
] as const

function CertificateForm() {
  const [draft, setDraft] = useState(nothing)
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: ({ ca, passphrase, ...rest }: Draft) =>
      call('POST', '/v1/client-certificates', {
        ...rest,
        ...(ca !== '' && { ca }),
        ...(passphrase !== '' && { passphrase }),
      }),
    onSuccess: async () => {
      toast(`Added the certificate for ${draft.host}.`)
      setDraft(nothing)
      await client.invalidateQueries({ queryKey: ['client-certificates'] })
    },
  })
  const refused = refusedFields(save.error)
  const faultOf = (name: keyof Draft) => {
    const complaint = refused.find(({ path }) => path === name)?.message
    return { faulty: complaint !== undefined, complaint }
  }
  const bind = (name: keyof Draft) => ({
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Host" help="For example *.example.com" {...faultOf('host')}>
        {(control) => <input {...control} {...bind('host')} required className={`${inputLook} font-mono`} />}
      </Field>
      {pemFields.map(({ name, label, help, required }) => (
        <Field key={name} label={label} help={help} {...faultOf(name)}>
          {(control) => (
            <textarea
              {...control}
              {...bind(name)}
              required={required}
              rows={4}
              spellCheck={false}
              autoComplete="off"
              className={areaLook}
            />
          )}
        </Field>
      ))}
      <Field label="Passphrase" help="Only for an encrypted key. It is not stored." {...faultOf('passphrase')}>
        {(control) => (
          <input {...control} {...bind('passphrase')} type="password" autoComplete="off" className={inputLook} />
        )}
      </Field>
      {save.isError && refused.length === 0 && <Fault text={save.error.message} />}
      <div>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          Add certificate
        </Button>
      </div>
    </form>
  )
}

function useRemoveCertificate(id: string, host: string) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['client-certificates'] })
  const restore = useMutation({
    mutationFn: () => call('POST', `/v1/client-certificates/${id}/restore`, {}),
    onSuccess: refresh,
    onError: (error) => toast(error.message, 'fault'),
  })
  return useMutation({
    mutationFn: () => call('DELETE', `/v1/client-certificates/${id}`),
    onSuccess: () => {
      toastUndo(`Deleted the certificate for ${host}.`, () => restore.mutate())
      return refresh()
    },
    onError: (error) => toast(error.message, 'fault'),
  })
}
