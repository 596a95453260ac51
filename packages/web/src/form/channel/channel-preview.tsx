import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  previewedAlertTypes,
  type AlertChannelKind,
  type AlertChannelPreview,
  type FormField,
  type PreviewedAlertType,
} from '@vedette/wire'
import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { call } from '../../api/client.ts'
import { parsedJson } from '../../components/results/parsed-json.ts'
import { useDebounced } from '../../ui/hooks/use-debounced.ts'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const typingMs = 300

const labels: Record<PreviewedAlertType, string> = {
  ALERT_FAILURE: 'A failure',
  ALERT_DEGRADED: 'A degraded check',
  ALERT_RECOVERY: 'A recovery',
  ALERT_SSL: 'An expiring certificate',
}

interface Props {
  kind: AlertChannelKind
  config: unknown
}

/** What the channel would send of a sample alert, as the server renders it, while it is being written. */
export function ChannelPreview({ kind, config }: Props) {
  const [alertType, setAlertType] = useState<PreviewedAlertType>('ALERT_FAILURE')
  const body = useDebounced(JSON.stringify({ type: kind.type, config, alertType }), typingMs)
  const preview = useQuery({
    queryKey: ['channel-preview', body],
    queryFn: () => call<AlertChannelPreview>('POST', '/v1/alert-channels/preview', JSON.parse(body)),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  return (
    <div className="min-w-0 scroll-mt-16 xl:sticky xl:top-16">
      <Panel
        title="Preview"
        aside={
          <Select
            aria-label="Sample"
            look="quiet"
            value={alertType}
            onChange={(event) => setAlertType(event.target.value as PreviewedAlertType)}
          >
            {previewedAlertTypes.map((type) => (
              <option key={type} value={type}>
                {labels[type]}
              </option>
            ))}
          </Select>
        }
      >
        <p className="mb-3 text-sm text-ink-soft">
          What a sample alert would send. Nothing is sent now; secrets are masked.
        </p>
        {preview.isPending && <Skeleton label="Rendering" lines={4} />}
        {preview.isError && <Fault text={preview.error.message} />}
        {preview.data && !preview.isError && <Shown preview={preview.data} kind={kind} />}
      </Panel>
    </div>
  )
}

function Shown({ preview: { parts, problems }, kind }: { preview: AlertChannelPreview; kind: AlertChannelKind }) {
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label="What is wrong" aria-live="polite" className="flex flex-col gap-1 empty:hidden">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="flex gap-2 text-sm text-fail">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 break-words">
              {labelOf(
                path,
                kind.form.flatMap(({ fields }) => fields),
              )}{' '}
              {message.replace(/[.?]?$/, (end) => end || '.')}
            </span>
          </li>
        ))}
      </ul>
      {parts.map((part) => (
        <Part key={part.title} {...part} />
      ))}
    </div>
  )
}

function Part({ title, text }: { title: string; text: string }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 text-sm font-medium">
        {title}
      </h3>
      <pre
        // A long body scrolls, by keys too.
        tabIndex={0}
        aria-labelledby={id}
        className="max-h-96 overflow-y-auto rounded-md bg-sunken p-3 font-mono text-sm break-words whitespace-pre-wrap"
      >
        {laidOut(text)}
      </pre>
    </section>
  )
}

/** JSON of one line is laid out in several; other text is shown as it is sent. */
function laidOut(text: string): string {
  const json = text.includes('\n') ? undefined : parsedJson(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}

/** "config.headers.0.value" as people know it: "Headers". */
const labelOf = (path: string, fields: readonly FormField[]): string =>
  fields.find((field) => path === `config.${field.path}` || path.startsWith(`config.${field.path}.`))?.label ?? path
