import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDate } from '../../src/sandbox/quiz-service/database.ts';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { addResponse, markStarted, markSubmitted } from '../../src/sandbox/quiz-service/store/responses.ts';
import { pageUsers } from '../../src/sandbox/quiz-service/store/users.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import * as z from 'zod';
import { accountQuizzes } from '../support/account-quizzes.ts';
import { openApart } from '../support/apart.ts';
import { median, metricIn, percentile } from '../support/measurements.ts';
import { memoryMBOf } from '../support/process-cost.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** `responses`: to each of two quizzes. `betweenListsMs`: longer than what a list has read serves the next. */
const fullSize = {
  users: 100_000,
  quizzes: 5_000,
  responses: 50_000,
  rounds: 8,
  betweenListsMs: 5_500,
  restMs: 20_000,
};
const shortSize = { users: 1_000, quizzes: 50, responses: 500, rounds: 1, betweenListsMs: 0, restMs: 0 };
const answerTimeoutMs = 120_000;
const apiKey = 'key-bench';
const dayMs = 86_400_000;
const trainers = [people.ada.id, people.tom.id, people.erin.id];

/** A bot with a large account in the service, whose figures are read from outside of it. */
interface LargeBed {
  size: typeof fullSize;
  /** The account in the names of rows. */
  account: string;
  workspace: Workspace;
  url: string;
  /** Where `watch-hold-ups.ts` writes. */
  holdUpsFile: string;
  startedAt: number;
}

/** Measures a bot with a large account, with the service in another process. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  using service = await openApart(import.meta.url, serveLarge, [size]);
  using folder = mkdtempDisposableSync(join(tmpdir(), 'invigilator-bench-'));
  const serviceUrl = service.result;
  const bareMs = await timed(() =>
    fetch(`${serviceUrl}/api/v1/users`, { headers: { 'x-api-key': apiKey } }).then((answer) => answer.arrayBuffer()),
  );
  let startedAt = 0;
  const holdUpsFile = join(folder.path, 'hold-ups.json');
  await using testBed = await openProcessTestBed({
    store: 'sqlite',
    env: { HOLD_UPS_FILE: holdUpsFile, QUIZ_API_KEY: apiKey },
    nodeOptions: ['--import', './test/bench/watch-hold-ups.ts'],
    serviceUrl: async () => serviceUrl,
    beforeStart: async () => void (startedAt = performance.now()),
  });
  const { workspace, bots } = testBed;
  // Until it answers, the bot loads its code and holds up nobody.
  process.kill(watched({ holdUpsFile }).pid, 'SIGUSR2');
  workspace.faults.setRateLimits(false);
  const account = `${size.users.toLocaleString('en')} users, ${size.quizzes.toLocaleString('en')} quizzes`;
  const bed: LargeBed = { size, account, workspace, url: bots[0]!.url, holdUpsFile, startedAt };
  return [...(await measureLists(bed, bareMs)), ...(await measureResults(bed))];
}

/** The quiz service of a large account. @returns its URL */
export async function serveLarge({ users, quizzes, responses }: typeof fullSize): Promise<string> {
  const service = await startQuizService({
    quizzes: accountQuizzes,
    dataDir: ':memory:',
    apiKey,
    ratePerMinute: 100_000,
    ratePerHour: 1_000_000,
    sample: { users, responses: 0 },
  });
  const { database } = service;
  const random = createSeededRandom(50_000);
  const now = Date.now();
  const statuses = ['open', 'open', 'closed', 'in_design'] as const;

  database.transaction(() => {
    for (let number = 1; number <= quizzes; number += 1) {
      addQuiz(database, {
        quiz_id: random.id(),
        name: `Course ${number}, part ${random.between(1, 9)}`,
        status: random.pick(statuses),
        date_created: formatDate(now - number * 60_000),
      });
    }
    const members = [...pageUsers(database)].flat();
    for (const name of ['Annual compliance', 'Yearly safety']) {
      const quiz_id = random.id();
      addQuiz(database, { quiz_id, name, status: 'open', date_created: formatDate(now - 100 * dayMs) });
      for (let number = 0; number < responses; number += 1) {
        const { user_id, first_name, last_name, email_address } = members[number % members.length]!;
        const response_id = random.id();
        const startedMs = now - 90 * dayMs + Math.floor((number / responses) * 80 * dayMs);
        addResponse(database, {
          response_id,
          quiz_id,
          user_id,
          first_name,
          last_name,
          email_address,
          attempt: 1,
          ip_address: `198.51.100.${number % 254}`,
          publish_type: 'assigned_user',
          access_code: '',
          registration_fields: [],
        });
        markStarted(database, response_id, 1, startedMs);
        const points = random.between(0, 20);
        markSubmitted(database, response_id, {
          points,
          available_points: 20,
          percentage_score: points * 5,
          grade: points > 9 ? 'B' : 'F',
          pass: points > 9,
          date_submitted: formatDate(startedMs + 600_000),
          duration: random.between(60, 1_200),
        });
      }
    }
  });
  return service.url;
}

async function measureLists(bed: LargeBed, bareMs: number): Promise<BenchRow[]> {
  const {
    account,
    size: { rounds, betweenListsMs, restMs },
  } = bed;
  await answered(bed, people.ada.id, '/quiz list', /quizzes/);
  const firstMs = performance.now() - bed.startedAt;
  const whileStarting = await longestHoldUp(bed);
  await sleep(betweenListsMs);
  await longestHoldUp(bed);
  const tookMs = { quizzes: [] as number[], users: [] as number[], search: [] as number[] };
  const holdUps: HoldUp[] = [];
  for (let round = 0; round < rounds; round += 1) {
    tookMs.quizzes.push(await timed(() => answered(bed, people.ada.id, '/quiz list', /quizzes/)));
    tookMs.users.push(await timed(() => answered(bed, people.ada.id, '/quiz-user list', /\d users/)));
    tookMs.search.push(await timed(() => answered(bed, people.ada.id, '/quiz-user list suspended rosa', /user/)));
    // Shows who is in a group now, so the bot reads every user again.
    if (round % 2 === 1) await answered(bed, people.ada.id, '/quiz-group show kitchen', /Kitchen/);
    await sleep(betweenListsMs);
    holdUps.push(await longestHoldUp(bed));
  }
  const peakMB = peakMemoryMB(bed);
  await sleep(restMs);
  const restMB = memoryMBOf(watched(bed).pid);
  return [
    {
      name: `${account}: from start to the first list`,
      figure: `${firstMs.toFixed(0)} ms, of which the service takes ${bareMs.toFixed(0)} ms to give its users`,
    },
    timing(`${account}: /quiz list`, tookMs.quizzes),
    timing(`${account}: /quiz-user list`, tookMs.users),
    timing(`${account}: /quiz-user list with a filter`, tookMs.search),
    {
      name: `${account}: longest hold-up of the event loop from accepting requests to the first list`,
      ...holdUp([whileStarting]),
    },
    { name: `${account}: longest hold-up of the event loop in lists and their readings`, ...holdUp(holdUps) },
    {
      name: `${account}: resident memory at rest`,
      figure: `${restMB.toFixed(0)} MB`,
      ...heldAgainst('memory at rest with many', { mb: restMB }),
    },
    {
      name: `${account}: resident memory at most, lists`,
      figure: `${peakMB.toFixed(0)} MB`,
      ...heldAgainst('memory at most with many', { mb: peakMB }),
    },
  ];
}

const large = [
  '/quiz results "annual compliance"',
  '/quiz results "yearly safety"',
  '/quiz results "annual compliance" passed',
];

async function measureResults(bed: LargeBed): Promise<BenchRow[]> {
  const responses = `${bed.size.responses.toLocaleString('en')} responses`;
  const [first = ''] = large;
  return [
    await measureBurst(bed, `one /quiz results of ${responses}`, [first], /Annual/),
    await measureBurst(bed, `ten /quiz results of ${responses} at once`, Array<string>(10).fill(first), /Annual/),
    await measureBurst(
      bed,
      `forty /quiz results of ${responses} at once, of two quizzes`,
      Array.from({ length: 40 }, (_, index) => large[index % large.length]!),
      /Annual|Yearly/,
    ),
    await measureBurst(
      bed,
      `thirty exports of ${responses} at once`,
      Array<string>(30).fill('/quiz export "annual compliance"'),
      /Sent you [\d,]+/,
    ),
  ];
}

/** @param expected what each answer says; another answer is a failure */
async function measureBurst(
  bed: LargeBed,
  name: string,
  lines: readonly string[],
  expected: RegExp,
): Promise<BenchRow> {
  await longestHoldUp(bed);
  resetPeak(bed);
  const health = watchHealth(bed);
  const startedMs = performance.now();
  const outcomes = await Promise.all(
    lines.map((line, index) => bed.workspace.as(trainers[index % trainers.length]!).command(line)),
  );
  // A person’s outcomes all watch the same conversation: the first of each sees every answer.
  const answers = () =>
    outcomes
      .slice(0, trainers.length)
      .flatMap(({ replies }) =>
        replies.map((message) => JSON.stringify([message.text, message.blocks])).filter(isAnswer),
      );
  await bed.workspace.until(() => answers().length >= lines.length, answerTimeoutMs);
  const tookMs = performance.now() - startedMs;
  const healthMs = await health.stop();
  const failed = answers().filter((text) => !expected.test(text));
  for (const text of failed.slice(0, 1)) process.stderr.write(`${name}: ${text.slice(0, 300)}\n`);
  const peakMB = peakMemoryMB(bed);
  const longestMs = Math.max(...healthMs);
  const { cpuMs } = await longestHoldUp(bed);
  return {
    name: `${bed.account}: ${name}`,
    figure: `${peakMB.toFixed(0)} MB at most, /healthz p50 ${median(healthMs).toFixed(0)} ms, at most ${longestMs.toFixed(0)} ms, longest hold-up ${cpuMs.toFixed(0)} ms of CPU time, all answered after ${(tookMs / 1000).toFixed(1)} s, ${failed.length} failed`,
    ...heldAgainst('results of many', { peakMB, healthMs: longestMs, failed: failed.length }),
  };
}

/** Types a line and waits until an answer fits. @throws if the last answer does not */
async function answered({ workspace }: LargeBed, personId: string, line: string, expected: RegExp): Promise<void> {
  const outcome = await workspace.as(personId).command(line);
  const texts = () => outcome.replies.map((message) => JSON.stringify([message.text, message.blocks]));
  const text = await workspace.until(() => texts().find(isAnswer), answerTimeoutMs);
  if (!expected.test(text)) throw new Error(`${line} was answered ${text.slice(0, 300)}`);
}

/** Neither a place in the queue nor an exported file. */
function isAnswer(text: string): boolean {
  return !text.includes('⏳') && !text.startsWith('[""');
}

/** Asks `/healthz` every 50 ms, as a load balancer would more rarely. */
function watchHealth({ url }: LargeBed): { stop(): Promise<number[]> } {
  const tookMs: number[] = [];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      tookMs.push(await timed(() => read(`${url}/healthz`)));
      await sleep(50);
    }
  })();
  return {
    async stop() {
      over.abort();
      await asking;
      return tookMs;
    },
  };
}

/** In milliseconds. */
interface HoldUp {
  /** Of CPU time of the main thread. */
  cpuMs: number;
  /** By the clock, which other programs on the machine lengthen. */
  clockMs: number;
}

const watchedSchema = z.object({ pid: z.number(), longestMs: z.number() });
const watched = ({ holdUpsFile }: Pick<LargeBed, 'holdUpsFile'>) =>
  watchedSchema.parse(JSON.parse(readFileSync(holdUpsFile, 'utf8')));

/** The longest hold-up of the event loop since this was last asked. */
async function longestHoldUp(bed: LargeBed): Promise<HoldUp> {
  const { pid, longestMs } = watched(bed);
  const metrics = await read(`${bed.url}/metrics`);
  process.kill(pid, 'SIGUSR2');
  return { cpuMs: longestMs, clockMs: metricIn(metrics, 'nodejs_eventloop_lag_max_seconds') * 1000 };
}

/** Linux keeps the most memory that a process had. */
const peakMemoryMB = (bed: LargeBed) => memoryMBOf(watched(bed).pid, 'VmHWM');

/** https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html */
const resetPeak = (bed: LargeBed) => writeFileSync(`/proc/${watched(bed).pid}/clear_refs`, '5');

/** Over a connection of its own: one that is kept may be closed while the request is on its way. */
async function read(url: string): Promise<string> {
  return (await fetch(url, { headers: { connection: 'close' } })).text();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function timing(name: string, tookMs: readonly number[]): BenchRow {
  const [p50, most] = [median(tookMs), percentile(tookMs, 100)];
  return {
    name,
    figure: `p50 ${p50.toFixed(0)} ms, at most ${most.toFixed(0)} ms`,
    ...heldAgainst('list of many', { mostMs: most }),
  };
}

function holdUp(all: readonly HoldUp[]): Omit<BenchRow, 'name'> {
  const cpuMs = Math.max(...all.map((one) => one.cpuMs));
  return {
    figure: `${cpuMs.toFixed(0)} ms of CPU time (by the clock ${Math.max(...all.map(({ clockMs }) => clockMs)).toFixed(0)} ms)`,
    ...heldAgainst('hold-up with many', { cpuMs }),
  };
}
