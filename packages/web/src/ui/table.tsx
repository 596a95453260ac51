import type { ReactNode } from 'react'

interface Column {
  label: string
  /** Numbers stand right. */
  isNumber?: boolean
}

interface Props {
  /** What it lists; read out. */
  caption: string
  columns: readonly Column[]
  /** Cells of each row, with a key that stays with the row. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
  /** Said instead of an empty table. */
  nothing: string
}

/** A plain table. It scrolls sideways within itself where it is too narrow. */
export function Table({ caption, columns, rows, nothing }: Props) {
  if (rows.length === 0) return <p className="text-ink-soft">{nothing}</p>
  const side = (column: Column | undefined) => (column?.isNumber === true ? 'text-right' : 'text-left')
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={caption}>
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-ink-soft">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                className={`py-1.5 pr-4 font-normal whitespace-nowrap last:pr-0 ${side(column)}`}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-t border-line align-top">
              {cells.map((cell, at) => (
                <td
                  key={columns[at]?.label}
                  className={`py-1.5 pr-4 last:pr-0 ${side(columns[at])} ${columns[at]?.isNumber ? 'whitespace-nowrap' : 'break-words'}`}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
