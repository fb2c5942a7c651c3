import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Figures } from './compare.ts';

/** The figures in the repository, and what they were measured with. */
const figuresFile = 'test/bench/figures.json';

const fileSchema = z.object({ measured: z.string(), figures: z.record(z.string(), z.array(z.number())) });

/** Empty where nothing was ever written. */
export function readFigures(file = figuresFile): Figures {
  return existsSync(file) ? fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).figures : {};
}

/** Replaces the figures of what was measured, and keeps the others. @param measured date, machine and commit */
export function writeFigures(figures: Figures, measured: string, file = figuresFile): void {
  const all = Object.entries({ ...readFigures(file), ...figures }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // A line for each figure, so that a difference shows which of them changed.
  const lines = all.map(([name, runs]) => `    ${JSON.stringify(name)}: [${runs.join(', ')}]`);
  writeFileSync(file, `{\n  "measured": ${JSON.stringify(measured)},\n  "figures": {\n${lines.join(',\n')}\n  }\n}\n`);
}
