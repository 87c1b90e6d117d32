import { unsafeCSS } from 'lit'
import text from './base.css?inline'

export const base = unsafeCSS(text)
