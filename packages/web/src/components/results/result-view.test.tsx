import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { ResultSection } from '@vedette/checks'
import { ResultView } from './result-view.tsx'

const text = (view: readonly ResultSection[], part: unknown) =>
  renderToStaticMarkup(<ResultView view={view} part={part} />)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const section = (...parts: ResultSection['parts']): ResultSection[] => [{ title: 'Answer', parts }]

describe('the view of a result', () => {
  test('says what is absent in the words of the type, or of the trouble the result names', () => {
    const view: ResultSection[] = [
      { title: 'Timing', about: 'response', parts: [] },
      { title: 'Sent', about: 'request', otherwise: { text: 'Nothing was sent.' }, parts: [] },
      { title: 'Answer', about: 'response', otherwise: { text: 'Nothing.', troublePath: 'trouble' }, parts: [] },
    ]
    expect(text(view, { response: null, trouble: 'Refused' })).toBe('Sent Nothing was sent. Answer Refused')
    expect(text(view, {})).toBe('Sent Nothing was sent. Answer Nothing.')
  })

  test('paints what is absent as a failure only where the target is to blame', () => {
    const view: ResultSection[] = [
      { title: 'Answer', about: 'response', otherwise: { text: 'Nothing.', troublePath: 'trouble' }, parts: [] },
    ]
    const html = (part: unknown) => renderToStaticMarkup(<ResultView view={view} part={part} />)
    expect(html({ trouble: 'TCP: refused' })).toMatch(/text-fail[^>]*>TCP: refused/)
    expect(html({ trouble: null })).not.toContain('text-fail')
  })

  test('leaves out what a result does not have', () => {
    const view = section(
      {
        kind: 'line',
        spans: [
          { text: '{status} {words}', look: 'strong' },
          { text: 'from {peer}', look: 'soft' },
        ],
      },
      { kind: 'keyValues', path: 'headers', nothing: 'No headers.' },
      { kind: 'text', path: 'data' },
      { kind: 'text', path: 'body', nothing: 'Empty body.', truncatedPath: 'truncated' },
    )
    expect(text(view, { peer: '::1', data: '', body: '' })).toBe('Answer from ::1 Empty body.')
    const whole = { status: 200, words: '', peer: '::1', headers: { a: 'b' }, body: '{"x":1}', truncated: true }
    expect(text(view, whole)).toBe(
      'Answer 200 from ::1 a b As it came Copy x: 1 The body is longer; the rest was not kept.',
    )
  })

  test('shows facts and rows with their units', () => {
    const ping: ResultSection['parts'] = [
      {
        kind: 'facts',
        facts: [
          { label: 'Lost', path: 'loss', unit: 'percent' },
          { label: 'Layout shift', path: 'cls', unit: 'score' },
          { label: 'Average', path: 'rtt.avg', unit: 'ms' },
          { label: 'Worst', path: 'rtt.max', unit: 'ms' },
          { label: 'Until', path: 'until', unit: 'moment' },
        ],
      },
      {
        kind: 'table',
        path: 'answers',
        nothing: 'No answers.',
        columns: [
          { label: 'Data', path: 'data' },
          { label: 'Took', path: 'ms', unit: 'ms' },
          { label: 'Secure', path: 'secure' },
        ],
      },
    ]
    const part = {
      loss: 12.5,
      cls: 0.12345,
      rtt: { avg: 8.25, max: null },
      until: 'an unreadable date',
      answers: [{ data: '10.0.0.1', ms: 3, secure: false }, {}],
    }
    expect(text(section(...ping), part)).toBe(
      'Answer Lost 12.5 % Layout shift 0.123 Average 8.3 ms Until an unreadable date Data Took Secure 10.0.0.1 3 ms no none none none',
    )
    expect(text(section(...ping), { answers: [] })).toBe('Answer No answers.')
  })

  test('repeats parts for each item, with paths that begin there', () => {
    const view = section({
      kind: 'items',
      path: 'pages',
      title: '{url}',
      nothing: 'No page was opened.',
      parts: [
        { kind: 'facts', facts: [{ label: 'LCP', path: 'vitals.lcp', unit: 'ms' }] },
        { kind: 'phases', path: 'phases', phases: [{ name: 'dns', label: 'DNS' }], total: 'total' },
      ],
    })
    const pages = [{ url: 'https://a.example/', vitals: { lcp: 900 } }, { phases: { dns: 2, total: 5 } }]
    expect(text(view, { pages })).toMatch(/^Answer https:\/\/a\.example\/ LCP 900 ms 2 .*DNS 2 ms Total 5 ms$/)
    expect(text(view, { pages: [] })).toBe('Answer No page was opened.')
  })

  test('shows parts with a tab in tabs, with how much is in them', () => {
    const html = renderToStaticMarkup(
      <ResultView
        view={section({ kind: 'keyValues', path: 'headers', nothing: '', tab: 'Headers' })}
        part={{ headers: { server: 'x' } }}
      />,
    )
    expect(html).toMatch(/role="tab"[^>]*>Headers<span[^>]*>1<.*role="tabpanel".*server/)
  })
})
