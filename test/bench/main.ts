import { parseArgs } from 'node:util';
import { run as actions } from './actions.ts';
import { run as acknowledgement } from './acknowledgement.ts';
import { run as alertsBurst } from './alerts-burst.ts';
import { run as alertsLatency } from './alerts-latency.ts';
import { run as alertsWebhooks } from './alerts-webhooks.ts';
import type { BenchRow } from './bench-row.ts';
import { run as batchBudget } from './batch-budget.ts';
import { run as budget } from './budget.ts';
import { run as campaignsBoard } from './campaigns-board.ts';
import { run as campaignsBudget } from './campaigns-budget.ts';
import { run as campaignsGrowth } from './campaigns-growth.ts';
import { run as campaignsPace } from './campaigns-pace.ts';
import { run as campaignsStanding } from './campaigns-standing.ts';
import { run as directory } from './directory.ts';
import { run as evidence } from './evidence.ts';
import { killed, type KilledOptions } from './killed.ts';
import { run as failover } from './failover.ts';
import { run as large } from './large.ts';
import { run as lostStore } from './lost-store.ts';
import { run as matrix } from './matrix.ts';
import { run as mcp } from './mcp.ts';
import { run as oldEvents } from './old-events.ts';
import { run as pausedBots } from './paused-bots.ts';
import { run as quizApi } from './quiz-api.ts';
import { run as quizService } from './quiz-service.ts';
import { run as retention } from './retention.ts';
import { run as socketOutages } from './socket-outages.ts';
import { run as start } from './start.ts';
import { circumstances, markdownTable, plainTable } from './table.ts';

const benches = {
  start,
  actions,
  'quiz-api': quizApi,
  budget,
  'batch-budget': batchBudget,
  'quiz-service': quizService,
  directory,
  large,
  'alerts-webhooks': alertsWebhooks,
  'alerts-latency': alertsLatency,
  'alerts-burst': alertsBurst,
  'alerts-killed': killed('alerts-killed'),
  'batches-killed': killed('batches-killed'),
  acknowledgement,
  'old-events': oldEvents,
  'lost-store': lostStore,
  'campaigns-pace': campaignsPace,
  'campaigns-board': campaignsBoard,
  'campaigns-budget': campaignsBudget,
  'campaigns-growth': campaignsGrowth,
  'campaigns-standing': campaignsStanding,
  'campaigns-killed': killed('campaigns-killed'),
  'standing-killed': killed('standing-killed'),
  evidence,
  matrix,
  retention,
  mcp,
  failover,
  'socket-outages': socketOutages,
  'rolling-restart': killed('rolling-restart'),
  'paused-bots': pausedBots,
  'waits-killed': killed('waits-killed'),
};

/**
 * `npm run bench -- alerts start` runs the benchmarks whose names begin with a word; `--markdown` prints the table of
 * docs/measurements.md. `--size 30 --kills 3 --seed 7` replaces what the rows of kill tests say.
 */
const {
  values: { markdown, ...given },
  positionals: prefixes,
} = parseArgs({
  options: {
    markdown: { type: 'boolean', default: false },
    size: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string' },
  },
  allowPositionals: true,
});
const chosen = Object.entries(benches).filter(
  ([name]) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix)),
);
if (chosen.length === 0) throw new Error(`the benchmarks are ${Object.keys(benches).join(', ')}`);

const numberIn = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const killedOptions: KilledOptions = {
  size: numberIn(given.size),
  kills: numberIn(given.kills),
  seed: numberIn(given.seed),
};

const begin = performance.now();
const rows: BenchRow[] = [];
for (const [name, bench] of chosen) {
  process.stderr.write(`${name} …\n`);
  rows.push(...(await bench(killedOptions)));
}

process.stdout.write(
  `${markdown ? markdownTable(rows) : plainTable(rows)}\n\n${circumstances((performance.now() - begin) / 60_000)}\n`,
);
