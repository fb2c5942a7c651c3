import { amount, inEnglish, joinSaid, lengthInEnglish, say } from '../domain/said.ts';
import { listedAtMost } from './operation-result.ts';
import type { Chart, Page, Part } from './page.ts';

/** What a page says, without what only buttons do. Each text can be several lines. */
export function linesOf({ heading, parts = [], notes = [] }: Page): string[] {
  return [heading, ...parts.flatMap(linesOfPart), ...notes].flatMap((line) => line || []);
}

function linesOfPart(part: Part): (string | false | undefined)[] {
  const { title, lines = [], facts = [], chart, table, items = [], most = listedAtMost, notes = [] } = part;
  const list = [...lines.filter((line) => line), ...items.map(({ line }) => line)];
  const rows = table?.lines ?? [];
  const shown = [...list.slice(0, most), ...rows.slice(0, most)];
  return [
    title,
    ...facts.map(([label, fact = '']) => fact.trim() !== '' && say`${label}: ${fact}`),
    ...(chart === undefined ? [] : chartLines(chart)),
    ...shown,
    leftWords((part.count ?? list.length + rows.length) - shown.length, part),
    ...notes,
  ];
}

/** Says that a list goes on, and where. */
export function leftWords(left: number, { narrow, rest }: Pick<Part, 'narrow' | 'rest'>): string | undefined {
  if (left <= 0) return undefined;
  if (narrow !== undefined)
    return say`…and ${amount(left)} more. To narrow the list, type \`${narrow}\` and part of a name.`;
  if (rest === undefined) return say`…and ${amount(left)} more`;
  return inEnglish(rest).startsWith('/')
    ? say`…and ${amount(left)} more: \`${rest}\``
    : joinSaid([say`…and ${amount(left)} more.`, rest], ' ');
}

const longestBar = 20;

/** A chart as text. */
export function chartLines({ title, name, xLabel, points, beside }: Chart): string[] {
  const labelWidth = Math.max(...points.map(({ label }) => lengthInEnglish(label)));
  const most = Math.max(1, ...(beside?.values ?? []), ...points.map(({ value }) => value));
  return [
    beside === undefined ? say`*${title}* · ${xLabel}` : say`*${title}* · ${xLabel} · ${name} · ${beside.name}`,
    ...points.map(({ label, value }, place) => {
      const bar = '█'.repeat(Math.ceil((longestBar * value) / most));
      const line = say`\`${' '.repeat(labelWidth - lengthInEnglish(label))}${label}\` ${bar}${bar && ' '}${value}`;
      return beside === undefined ? line : joinSaid([line, amount(beside.values[place] ?? 0)], ' · ');
    }),
  ];
}
