import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Machine } from './machine.js';
import type { Comparison, Summary } from './rounds.js';
import { rounded } from './statistics.js';

/** One row of the table. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: Figures;
  readonly ceiling: Figures | null;
  /** Ours by the ceiling's; for times the other way round says the target. */
  readonly ratio: number | null;
  readonly ratios?: readonly number[];
  readonly target?: { readonly text: string; readonly met: boolean };
}

interface Figures {
  readonly value: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

export interface Measurement {
  /** File name of the result and word for `--only`. */
  readonly name: string;
  readonly title: string;
  /** What was done and what the ceiling is, for somebody who reads the figures alone. */
  readonly method: readonly string[];
  readonly figures: readonly Figure[];
}

/** Of rates: calls per second, with the times of single calls. */
export const ratesOf = ({ perSecond, p50Ms, p99Ms }: Summary): Figures => ({
  value: rounded(perSecond),
  p50Ms: rounded(p50Ms),
  p99Ms: rounded(p99Ms),
});

/** Of times: milliseconds a call takes in a closed loop of so many callers, which is its rate turned round. */
export const timesOf = ({ perSecond, p50Ms, p99Ms }: Summary, callers: number): Figures => ({
  value: rounded((callers * 1000) / perSecond),
  p50Ms: rounded(p50Ms),
  p99Ms: rounded(p99Ms),
});

/** A comparison of rates; `least` is the smallest ratio that will do. */
export const rateFigure = (name: string, unit: string, comparison: Comparison, least?: number): Figure => ({
  name,
  unit,
  ours: ratesOf(comparison.ours),
  ceiling: ratesOf(comparison.ceiling),
  ratio: rounded(comparison.ratio),
  ratios: comparison.ratios.map(rounded),
  ...(least === undefined ? {} : { target: { text: `≥ ${least}`, met: comparison.ratio >= least } }),
});

const HEADINGS = ['', 'ours', 'p50 ms', 'p99 ms', 'ceiling', 'p50 ms', 'p99 ms', 'ratio', 'spread', 'target', ''];

/** The table of one measurement, as lines. */
export function tableOf({ figures }: Measurement): string[] {
  const rows = [HEADINGS, ...figures.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf({ name, unit, ours, ceiling, ratio, ratios = [], target }: Figure): string[] {
  const show = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value));
  const spread = ratios.length > 1 ? `${Math.min(...ratios)}–${Math.max(...ratios)}` : '';
  const verdict = target?.met ? 'met' : 'MISSED';
  return [
    name,
    `${show(ours.value)} ${unit}`,
    show(ours.p50Ms),
    show(ours.p99Ms),
    ceiling ? `${show(ceiling.value)} ${unit}` : '',
    show(ceiling?.p50Ms),
    show(ceiling?.p99Ms),
    show(ratio),
    spread,
    target?.text ?? '',
    target ? verdict : '',
  ];
}

/** Writes `<folder>/<name>.json`: the figures with the machine they were measured on. */
export function writeResult(
  folder: string,
  measurement: Measurement,
  context: { machine: Machine; quick: boolean },
): void {
  mkdirSync(folder, { recursive: true });
  const result = { measured_at: new Date().toISOString(), ...context, ...measurement };
  writeFileSync(path.join(folder, `${measurement.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}
