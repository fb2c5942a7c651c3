import { parseArgs } from 'node:util';
import { run as actions } from './actions.ts';
import { bursts as alertsBurst, latency as alertsLatency } from './alerts-messages.ts';
import { run as alertsWebhooks } from './alerts-webhooks.ts';
import {
  type Bench,
  type BenchOptions,
  type BenchRow,
  judge,
  circumstances,
  markdownTable,
  plainTable,
} from './bench-row.ts';
import { run as batchBudget } from './batch-budget.ts';
import { run as budget } from './budget.ts';
import { run as campaignsBoard } from './campaigns-board.ts';
import { during as campaignsBudget, standing as campaignsStanding } from './campaigns-requests.ts';
import { run as campaignsPace } from './campaigns-pace.ts';
import { run as commands, tools as mcp } from './commands.ts';
import { compareFigures, comparison, gatherFigures, runsOfGo, readFigures, writeFigures } from './compare.ts';
import { run as directory } from './directory.ts';
import { run as evidence } from './evidence.ts';
import { run as idle } from './idle.ts';
import { killed } from './killed.ts';
import { run as large } from './large.ts';
import { run as matrix } from './matrix.ts';
import { run as questions } from './questions.ts';
import { run as quizApi } from './quiz-api.ts';
import { run as retention } from './retention.ts';
import { run as soak } from './soak.ts';
import { run as start } from './start.ts';
import { run as submissions } from './submissions.ts';
import { run as tenants } from './tenants.ts';

const benches: Record<string, Bench> = {
  start,
  idle,
  actions,
  'quiz-api': quizApi,
  budget,
  'batch-budget': batchBudget,
  directory,
  large,
  'alerts-webhooks': alertsWebhooks,
  'alerts-latency': alertsLatency,
  'alerts-burst': alertsBurst,
  'alerts-killed': killed('alerts-killed'),
  'batches-killed': killed('batches-killed'),
  submissions,
  commands,
  'campaigns-pace': campaignsPace,
  'campaigns-board': campaignsBoard,
  'campaigns-budget': campaignsBudget,
  'campaigns-standing': campaignsStanding,
  'campaigns-killed': killed('campaigns-killed'),
  'standing-killed': killed('standing-killed'),
  evidence,
  matrix,
  questions,
  retention,
  mcp,
  'waits-killed': killed('waits-killed'),
  tenants,
  soak,
};

/** Benchmarks with figures that mean the same on every machine, and that take minutes, not hours. */
const compared = new Set([
  'start',
  'idle',
  'actions',
  'quiz-api',
  'batch-budget',
  'alerts-webhooks',
  'commands',
  'campaigns-budget',
  'retention',
]);

/**
 * `npm run bench -- alerts start` runs the benchmarks whose names begin with a word; `--markdown` prints the table of
 * docs/reference/figures.md. `--compare` prints what got worse than figures.json, and `--write` writes that file: both run what can be
 * compared several times, and print the table of the last time. `--short` runs everything as small as it can be, to see that it
 * runs. `--size 30 --kills 3 --seed 7` replaces what the rows of kill tests say.
 */
const {
  values: { markdown, short: isShort, compare, write, ...given },
  positionals: prefixes,
} = parseArgs({
  options: {
    markdown: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    size: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string' },
  },
  allowPositionals: true,
});
const isCompared = compare || write;
const chosen = Object.entries(benches).filter(
  ([name]) =>
    (prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix))) &&
    !(isCompared && !compared.has(name)) &&
    // `npm test` has kill tests, as small as they can be.
    !(isShort && name.endsWith('-killed')),
);
if (chosen.length === 0) throw new Error(`the benchmarks are ${Object.keys(benches).join(', ')}`);

const numberIn = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const options: BenchOptions = {
  isShort,
  size: numberIn(given.size),
  kills: numberIn(given.kills),
  seed: numberIn(given.seed),
};

const begin = performance.now();
const runs: BenchRow[][] = [];
for (let count = 1; count <= (isCompared ? runsOfGo : 1); count += 1) runs.push(await runChosen(count));
const measured = circumstances((performance.now() - begin) / 60_000);
process.stdout.write(`${tableOf(runs.at(-1) ?? [])}\n\n${isCompared ? `${compareRuns()}\n\n` : ''}${measured}\n`);

async function runChosen(count: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, bench] of chosen) {
    process.stderr.write(`${name}${isCompared ? `, ${count} of ${runsOfGo}` : ''} …\n`);
    try {
      rows.push(...(await bench(options)));
    } catch (error) {
      // The others may have run for long: their figures are printed all the same.
      process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : String(error)}\n`);
      process.exitCode = 1;
    }
  }
  return rows;
}

function tableOf(rows: readonly BenchRow[]): string {
  const judged = rows.map((row) => (isShort ? { name: row.name, figure: row.figure } : judge(row)));
  return markdown ? markdownTable(judged) : plainTable(judged);
}

function compareRuns(): string {
  const figures = gatherFigures(runs);
  const text = comparison(compareFigures(readFigures(), figures));
  if (write) writeFigures(figures, `${new Date().toISOString().slice(0, 10)}, ${measured}`);
  return text;
}
