import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { checkTypeOf, valueAt } from '@vedette/checks'
import type { Assertion, OverviewRow } from '@vedette/wire'
import { channelHealthQuery, channelsQuery } from '../../api/channels.ts'
import type { ReadCheck } from '../../api/read-check.ts'
import { channelName } from '../alerts/channel-name.ts'
import { agentsQuery } from '../locations/agents-query.ts'
import { isEmulated } from '../locations/emulated.ts'
import { assertionText } from '../results/assertion-text.ts'
import { durationText } from '../time/format-time.ts'
import { Panel } from '../../ui/panel.tsx'
import { Fact } from './fact.tsx'
import { KnownFacts } from './known-facts.tsx'
import { retryText } from './retry-text.ts'

/** What the check does, how often and from where, and who hears of it. */
export function Facts({ check, item }: { check: ReadCheck; item: OverviewRow }) {
  const type = checkTypeOf(check.checkType)
  return (
    <Panel title="About this check">
      <dl className="flex flex-col gap-3 text-sm [&_dt]:text-ink-soft">
        <Fact label="It does">
          <span className="break-all">{item.action}</span>
        </Fact>
        {check.description && <Fact label="Description">{check.description}</Fact>}
        <Assertions check={check} />
        {check.frequency !== undefined && <Schedule check={check} item={item} />}
        <Locations check={check} />
        {check.retryStrategy !== undefined && <Fact label="When it fails">{retryText(check)}</Fact>}
        <Channels check={check} />
        {item.group && (
          <Fact label="Group">
            <Link
              to="/"
              search={{ inGroup: item.group.id }}
              className="underline max-md:inline-flex max-md:min-h-11 max-md:items-center"
            >
              {item.group.name}
            </Link>
          </Fact>
        )}
        {check.tags !== undefined && check.tags.length > 0 && (
          <Fact label="Tags">
            <span className="flex flex-wrap gap-1">
              {check.tags.map((tag) => (
                <Link
                  key={tag}
                  to="/"
                  search={{ tag }}
                  className="flex h-6 max-w-full items-center truncate rounded-md bg-sunken px-2 hover:underline max-md:h-11"
                >
                  {tag}
                </Link>
              ))}
            </span>
          </Fact>
        )}
        <KnownFacts check={check} />
        {type && <Fact label="Type">{type.title}</Fact>}
      </dl>
    </Panel>
  )
}

function Schedule({ check, item }: { check: ReadCheck; item: OverviewRow }) {
  return (
    <Fact label="Schedule">
      {item.periodMs === null ? 'No period of its own' : `Every ${durationText(item.periodMs)}`}
      {check.runParallel && item.locationCount > 1 && ', all locations at once'}
      {!check.runParallel && item.locationCount > 1 && ', locations in turn'}
      {item.overlaps > 0 && (
        <span className="block text-ink-soft">
          {item.overlaps} {item.overlaps === 1 ? 'run was' : 'runs were'} skipped because the run before was still going
        </span>
      )}
    </Fact>
  )
}

function Locations({ check }: { check: ReadCheck }) {
  const agents = useQuery(agentsQuery)
  const all = [...(check.locations ?? []), ...(check.privateLocations ?? [])]
  if (all.length === 0)
    return check.locations === undefined ? null : <Fact label="Locations">The default locations of the account</Fact>
  return (
    <Fact label={all.length === 1 ? 'Location' : 'Locations'}>
      <ul>
        {all.map((location) => (
          <li key={location}>
            {location}
            {agents.data && isEmulated(location, agents.data) && (
              <span className="text-ink-soft"> (emulated: run by this server)</span>
            )}
          </li>
        ))}
      </ul>
    </Fact>
  )
}

function Assertions({ check }: { check: ReadCheck }) {
  const assertions = valueAt(check, 'request.assertions') as Assertion[] | undefined
  if (assertions === undefined || assertions.length === 0) return null
  return (
    <Fact label="It passes when">
      <ul className="flex flex-col gap-0.5">
        {assertions.map((assertion) => (
          <li key={JSON.stringify(assertion)}>{assertionText(assertion)}</li>
        ))}
      </ul>
    </Fact>
  )
}

function Channels({ check }: { check: ReadCheck }) {
  const channels = useQuery(channelsQuery)
  const health = useQuery(channelHealthQuery)
  const heard = (channels.data?.items ?? []).filter(({ subscriptions }) =>
    subscriptions.some(({ checkId, activated }) => checkId === check.id && activated),
  )
  return (
    <Fact label="Channels">
      {channels.isSuccess && heard.length === 0 && (
        <span className="font-medium text-degraded">None: nobody hears when it fails.</span>
      )}
      <ul>
        {heard.map((channel) => (
          <li key={channel.id} className="break-words">
            <Link to="/channels" className="inline-flex min-h-6 items-center hover:underline max-md:min-h-11">
              {channelName(channel)}
            </Link>
            {health.data?.get(channel.id)?.condition === 'failing' && (
              <span className="block font-medium text-fail">its last notification was not delivered</span>
            )}
          </li>
        ))}
      </ul>
    </Fact>
  )
}
