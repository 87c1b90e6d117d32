import { css } from 'lit'
import { base } from './base.ts'

export const buttonStyles = [
  base,
  css`
    .opener {
      position: fixed;
      inset-block-end: var(--credence-button-inset, 1rem);
      inset-inline-end: var(--credence-button-inset, 1rem);
      z-index: var(--credence-button-layer, 1000);
      display: grid;
      place-items: center;
      inline-size: 3rem;
      block-size: 3rem;
      padding: 0;
      border-color: var(--_accent);
      border-radius: 50%;
      background: var(--_accent);
      color: var(--_on-accent);
      box-shadow: 0 2px 8px rgb(0 0 0 / 0.3);
    }
    .opener:hover {
      background: color-mix(in srgb, var(--_accent) 85%, var(--_text));
    }
    svg {
      inline-size: 1.5rem;
      fill: none;
      stroke: currentcolor;
      stroke-width: 1.75;
      stroke-linejoin: round;
      stroke-linecap: round;
    }
    dialog {
      inline-size: min(48rem, calc(100vw - 1rem));
      max-inline-size: none;
      block-size: min(48rem, calc(100dvh - 1rem));
      padding: 1rem;
      overflow: auto;
    }
    header {
      display: flex;
      justify-content: space-between;
      align-items: center;
      gap: 1rem;
      margin-block-end: 0.75rem;
    }
    h2 {
      font-size: 1.25rem;
    }
  `,
]
