import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { showDensity } from '../app/reader-choices.ts'
import { showTheme } from '../app/theme.ts'
import '../styles.css'
import { Toaster } from '../ui/toaster.tsx'
import { Gallery } from './gallery.tsx'

showTheme()
showDensity()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(
  <StrictMode>
    <Gallery />
    <Toaster />
  </StrictMode>,
)
