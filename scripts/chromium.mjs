import { ensureChromium } from './ensure.mjs'

/** How the tests, the replay and the bench start Chromium: no request of its own, and WebGPU in software where there is no GPU. */
export const launchOptions = (executablePath = ensureChromium()) => ({
  executablePath,
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--enable-unsafe-webgpu',
    '--use-webgpu-adapter=swiftshader',
    '--enable-features=Vulkan',
  ],
})
