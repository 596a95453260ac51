import { useEffect } from 'react'

/** Names the page in the browser's tab and history. */
export function PageTitle({ text }: { text: string }) {
  useEffect(() => {
    document.title = `${text} · Vedette`
  }, [text])
  return null
}
