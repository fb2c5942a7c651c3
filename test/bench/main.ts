import { run as actions } from './actions.ts';
import { run as acknowledgement } from './acknowledgement.ts';
import { run as alertsBurst } from './alerts-burst.ts';
import { run as alertsKilled } from './alerts-killed.ts';
import { run as alertsLatency } from './alerts-latency.ts';
import { run as alertsWebhooks } from './alerts-webhooks.ts';
import type { BenchRow } from './bench-row.ts';
import { run as budget } from './budget.ts';
import { run as directory } from './directory.ts';
import { run as quizApi } from './quiz-api.ts';
import { run as quizService } from './quiz-service.ts';
import { run as start } from './start.ts';

const benches = {
  start,
  actions,
  'quiz-api': quizApi,
  budget,
  'quiz-service': quizService,
  directory,
  'alerts-webhooks': alertsWebhooks,
  'alerts-latency': alertsLatency,
  'alerts-burst': alertsBurst,
  'alerts-killed': alertsKilled,
  acknowledgement,
};

/** `npm run bench -- alerts start` runs those whose names begin so. */
const wanted = process.argv.slice(2);
const chosen = Object.entries(benches).filter(([name]) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning)));
if (chosen.length === 0) throw new Error(`there are only the benches ${Object.keys(benches).join(', ')}`);

const rows: BenchRow[] = [];
for (const [, bench] of chosen) rows.push(...await bench());

const nameWidth = Math.max(...rows.map((row) => row.name.length));
const figureWidth = Math.max(...rows.map((row) => row.figure.length));
for (const { name, figure, goal, met } of rows) {
  const verdict = goal === undefined ? '' : `goal: ${goal}${met === undefined ? '' : met ? ', met' : ', NOT met'}`;
  process.stdout.write(`${name.padEnd(nameWidth)}  ${figure.padEnd(figureWidth)}  ${verdict}\n`);
}
