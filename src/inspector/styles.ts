import { css } from 'lit'
import { base } from './base.ts'

export const styles = [
  base,
  css`
    :host {
      display: block;
      background: var(--_background);
      overflow-wrap: anywhere;
    }
    :host([hidden]) {
      display: none !important;
    }
    .frame,
    .part,
    section,
    credence-inspector-beliefs,
    credence-inspector-time,
    credence-inspector-data {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.75rem;
      align-content: start;
    }
    .frame {
      container-type: inline-size;
    }
    h3 {
      font-size: 1rem;
    }
    h4,
    .why h3 {
      font-size: 0.875rem;
    }
    .spoken {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    mark {
      border-radius: 2px;
      background: var(--_profile-soft);
      color: var(--_text);
      text-decoration: underline 2px var(--_profile);
      text-underline-offset: 3px;
    }
    .source {
      white-space: pre-wrap;
    }

    /* Controls */
    button.small {
      min-block-size: 1.75rem;
      padding: 0 0.5rem;
      font-size: 0.8125rem;
    }
    .controls {
      display: grid;
      grid-template-columns: minmax(8rem, 1fr) minmax(0, auto) minmax(0, auto);
      gap: 0.75rem;
    }
    @container (inline-size < 30rem) {
      .controls {
        grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
      }
      .controls > :first-child {
        grid-column: 1 / -1;
      }
    }
    dialog {
      max-inline-size: min(32rem, calc(100vw - 2rem));
      padding: 1.25rem;
    }
    dialog form {
      display: grid;
      gap: 0.75rem;
    }
    #about {
      display: grid;
      gap: 0.5rem;
    }
    .goes {
      max-block-size: 12rem;
      overflow: auto;
      padding-inline-start: 0.75rem;
      border-inline-start: 3px solid var(--_correct);
    }
    .tabs {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem;
      border-block-end: 1px solid var(--_line);
    }
    [role='tab'] {
      margin-block-end: -1px;
      border: 0;
      border-block-end: 3px solid transparent;
      border-radius: var(--_radius) var(--_radius) 0 0;
      background: none;
      color: var(--_muted);
    }
    [role='tab'][aria-selected='true'] {
      border-block-end-color: var(--_accent);
      color: var(--_text);
      font-weight: 600;
    }
    .notice {
      position: sticky;
      inset-block-end: 0;
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.5rem;
      padding: 0.5rem 0.75rem;
      border: 1px solid var(--_maintain);
      border-radius: var(--_radius);
      background: var(--_maintain-soft);
      font-size: 0.875rem;
    }
    .notice.bad {
      border-color: var(--_correct);
      background: var(--_correct-soft);
    }
    .notice[data-empty] {
      padding: 0;
      border: 0;
    }
    .reminder {
      display: grid;
      gap: 0.5rem;
      padding: 0.75rem;
      border-inline-start: 3px solid var(--_profile);
      background: var(--_profile-soft);
      font-size: 0.875rem;
    }

    /* Beliefs */
    .beliefs > li {
      padding-block: 0.25rem;
      border-block-start: 1px solid var(--_line);
    }
    credence-inspector-belief summary {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 0.125rem 1rem;
      align-items: center;
      padding: 0.375rem 0.5rem;
      border-radius: var(--_radius);
      list-style: none;
      font-size: 1rem;
    }
    credence-inspector-belief summary::-webkit-details-marker {
      display: none;
    }
    credence-inspector-belief summary:hover {
      background: var(--_sunk);
    }
    credence-inspector-belief summary.moved {
      border-inline-start: 3px solid var(--_accent);
    }
    [data-state='past'] .words,
    [data-state='retracted'] .words,
    [data-state='expired'] .words {
      color: var(--_muted);
      text-decoration: line-through;
    }
    .confidence {
      display: flex;
      align-items: center;
      gap: 0.5rem;
      font-size: 0.875rem;
      font-variant-numeric: tabular-nums;
    }
    .bar {
      inline-size: 5rem;
      block-size: 0.5rem;
      border-radius: 99px;
      background: var(--_sunk);
      box-shadow: inset 0 0 0 1px var(--_line);
      overflow: hidden;
    }
    .bar span {
      display: block;
      inline-size: var(--w);
      block-size: 100%;
      background: var(--_accent);
    }
    [data-state='past'] .bar span,
    [data-state='retracted'] .bar span,
    [data-state='expired'] .bar span {
      background: var(--_edge);
    }
    .about {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.25rem 0.5rem;
      grid-column: 1 / -1;
    }
    .opened,
    .why {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.625rem;
    }
    .opened {
      padding: 0.5rem;
    }
    .sources > li,
    .entry {
      padding-block: 0.25rem;
      padding-inline-start: 0.75rem;
      border-inline-start: 3px solid var(--_line);
    }
    .sources > li + li,
    .entry + .entry {
      margin-block-start: 0.5rem;
    }
    .entry.chosen {
      border-color: var(--_accent);
    }
    .chain .this {
      font-weight: 600;
    }

    /* Charts read from left to right in every language, as the formulas do. */
    .chart {
      display: block;
      inline-size: 100%;
      max-inline-size: 40rem;
      direction: ltr;
      border-radius: var(--_radius);
      background: var(--_sunk);
    }
    .chart text {
      fill: var(--_muted);
      font:
        11px system-ui,
        sans-serif;
    }
    .grid {
      stroke: var(--_line);
    }
    .limit {
      stroke: var(--_edge);
      stroke-dasharray: 4 4;
    }
    .line {
      fill: none;
      stroke: var(--_accent);
      stroke-width: 2;
    }
    .point {
      fill: var(--_accent);
    }
    .mark {
      fill: var(--_text);
      stroke: var(--_sunk);
    }
    .mark.maintain,
    .column.maintain {
      fill: var(--_maintain);
    }
    .mark.profile,
    .column.profile {
      fill: var(--_profile);
    }
    .mark.correct,
    .column.correct {
      fill: var(--_correct);
    }
    .mark.lifecycle {
      fill: var(--_edge);
    }
    .mark.hand {
      stroke: var(--_text);
      stroke-width: 2;
    }
    .column.hand {
      fill: var(--_text);
    }
    .mark-icon {
      inline-size: 0.75rem;
      block-size: 0.75rem;
      vertical-align: -0.0625rem;
    }
    .legend {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 1rem;
      font-size: 0.8125rem;
    }
    .gauge,
    .scale {
      position: relative;
      margin-block: 0.5rem 0.375rem;
      border-radius: 99px;
      box-shadow: inset 0 0 0 1px var(--_line);
    }
    .gauge {
      block-size: 0.625rem;
      direction: ltr;
      background: linear-gradient(to right, var(--_maintain-soft) var(--low), var(--_profile-soft) 0 var(--high), var(--_correct-soft) 0);
    }
    .gauge span {
      position: absolute;
      inset-block: -0.25rem;
      inset-inline-start: clamp(0px, calc(var(--x) - 2px), calc(100% - 4px));
      inline-size: 4px;
      border-radius: 2px;
      background: var(--_text);
    }
    .scale {
      block-size: 0.375rem;
      overflow: hidden;
      background: var(--_sunk);
    }
    .scale span {
      display: block;
      inline-size: max(3px, var(--score));
      block-size: 100%;
      background: var(--_edge);
    }
    .chosen .scale span {
      background: var(--_accent);
    }
    .scale i {
      position: absolute;
      inset-block: 0;
      inset-inline-start: min(var(--tau), calc(100% - 2px));
      inline-size: 2px;
      background: var(--_text);
    }

    .facts th {
      inline-size: 10rem;
    }

    @media (forced-colors: active) {
      .bar span,
      .scale span,
      .scale i,
      .gauge span,
      .column {
        forced-color-adjust: none;
      }
      [role='tab'][aria-selected='true'] {
        border-block-end-color: Highlight;
      }
    }
  `,
]
