/** The entry `credence/inspector`: importing it makes the elements known to the page. On a server it does nothing. */

export type * from './api.ts'

if (typeof customElements !== 'undefined') void import('./elements.ts')
