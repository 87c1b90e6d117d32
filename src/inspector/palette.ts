/** Colours and measures. Each can be set from outside by the custom property of the same name with `--credence-` before it. */

import { css } from 'lit'

export const palette = css`
  :host {
    --_background: var(--credence-background, light-dark(#ffffff, #1b1e21));
    --_sunk: var(--credence-sunk, light-dark(#f1f0ec, #24282c));
    --_text: var(--credence-text, light-dark(#1c1e20, #e9e9e6));
    --_muted: var(--credence-muted, light-dark(#5a5f66, #a8adb4));
    --_line: var(--credence-line, light-dark(#dcdad3, #353a40));
    --_edge: var(--credence-edge, light-dark(#85878c, #7d838b));
    --_accent: var(--credence-accent, light-dark(#0b6b57, #63d3b4));
    --_on-accent: var(--credence-on-accent, light-dark(#ffffff, #0c211b));
    --_maintain: var(--credence-maintain, light-dark(#0b6b57, #63d3b4));
    --_profile: var(--credence-profile, light-dark(#8a5800, #ecb95a));
    --_correct: var(--credence-correct, light-dark(#b02a21, #ff9a90));
    --_maintain-soft: color-mix(in srgb, var(--_maintain) 13%, var(--_background));
    --_profile-soft: color-mix(in srgb, var(--_profile) 13%, var(--_background));
    --_correct-soft: color-mix(in srgb, var(--_correct) 13%, var(--_background));
    --_radius: var(--credence-radius, 6px);
    font: var(--credence-font, 16px/1.5 system-ui, sans-serif);
    color: var(--_text);
  }
  * {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  button {
    min-block-size: 2rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_background);
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  button:hover {
    background: var(--_sunk);
  }
  dialog {
    border: 1px solid var(--_line);
    border-radius: calc(2 * var(--_radius));
    background: var(--_background);
    color: var(--_text);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.5);
  }
`
