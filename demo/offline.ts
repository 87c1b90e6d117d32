/** Installs the service worker of the built demo; the development server has none. */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // The demo works without it, as in a private window that has none.
  navigator.serviceWorker
    .register(new URL('service-worker.js', document.baseURI))
    .catch(error => console.warn('credence: not kept for offline use', error))
}
