import { parseArgs } from 'node:util';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { measureIdle, measureWork, type IdleCost, type WorkCost } from './measure.ts';
import { drawWorkspaces, simulate, type UnitCosts, type Usage } from './simulate.ts';

/*
 * `npm run scale` measures what idle tenants and what people cost on this machine, over SQLite and over Redis, and lets a working
 * day of 10,000 workspaces go by with that. `--measured 50 --workspaces 1000 --seed 2` changes how many tenants are measured,
 * how many workspaces there are, and which day it is.
 */
const {
  values: { measured, workspaces: count, seed },
} = parseArgs({
  options: {
    measured: { type: 'string', default: '100' },
    workspaces: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '20261127' },
  },
});

/** Assumptions, not measurements: half of the workspaces have up to 60 people, and each person types a command every twenty days. */
const usage = (work: WorkCost): Usage => ({
  workspaces: Number(count),
  medianPeople: 60,
  spread: 1.2,
  mostPeople: 50_000,
  commandsADay: 0.05,
  submissionsADay: 0.1,
  slackCallsOfCommand: work.slackCallsOfCommand,
  slackCallsOfSubmission: work.slackCallsOfSubmission,
  serviceCallsOfCommand: work.serviceCallsOfCommand,
});

const tenantsEach = [50, 100, 200, 400, 800];

const work = await measureWork();
const stores = [];
for (const store of ['sqlite', 'redis'] as const) {
  const [one, many] = [await measureIdle(1, store), await measureIdle(Number(measured), store)];
  stores.push({ store, one, many });
  print(`${store}: ${idleLine(one)}`);
  print(`${store}: ${idleLine(many)}`);
}
print(
  `a command: ${work.commandCpuMs.toFixed(1)} ms of CPU, ${work.slackCallsOfCommand.toFixed(2)} calls of Slack, ${work.serviceCallsOfCommand.toFixed(2)} of the service`,
);
print(
  `a submission: ${work.submissionCpuMs.toFixed(2)} ms of CPU, ${work.slackCallsOfSubmission.toFixed(2)} calls of Slack`,
);
for (const { store, one, many } of stores) simulateDay(store, unitCosts(one, many));

function unitCosts(one: IdleCost, many: IdleCost): UnitCosts {
  const each = (of: (cost: IdleCost) => number) => (of(many) - of(one)) / (many.tenants - 1);
  return {
    processMB: one.residentMB,
    tenantMB: each(({ residentMB }) => residentMB),
    idleCpuMs:
      Math.max(
        0,
        each(({ cpuPercent }) => cpuPercent),
      ) * 10,
    commandCpuMs: work.commandCpuMs,
    submissionCpuMs: work.submissionCpuMs,
    redisTenantMB: each(({ redisMB }) => redisMB),
    redisConnections: each(({ redisConnections }) => redisConnections),
    redisCommandsASecond: each(({ redisCommandsASecond }) => redisCommandsASecond),
    slackAMinuteIdle: each(({ slackAMinute }) => slackAMinute),
    serviceAMinuteIdle: each(({ serviceAMinute }) => serviceAMinute),
  };
}

function simulateDay(store: string, costs: UnitCosts): void {
  const random = createSeededRandom(Number(seed));
  const drawn = drawWorkspaces(usage(work), random);
  print(`\n${store}: ${Number(count).toLocaleString('en')} workspaces on a working day, with seed ${seed}`);
  for (const each of tenantsEach) {
    const { load, totals } = simulate(costs, usage(work), drawn, each, random);
    if (each === tenantsEach[0])
      print(
        [
          `${whole(totals.people)} people, ${whole(totals.submissionsADay)} submissions`,
          `at most ${whole(totals.slackAMinute)} requests a minute to Slack and ${whole(totals.serviceAMinute)} to the service`,
          ...(store === 'redis'
            ? [
                `Redis: ${whole(totals.redisMB)} MB, ${whole(totals.redisConnections)} connections for each instance, ${whole(totals.redisCommandsASecond)} commands a second while nobody does anything`,
              ]
            : []),
        ].join('; '),
      );
    print(
      `${each} tenants in each of ${load.processes} processes: ${whole(load.residentMB)} MB each; in the busiest minute ${load.busiestPercent.toFixed(1)} % of a core in the busiest process, ${load.typicalPercent.toFixed(1)} % in a typical one`,
    );
  }
}

function idleLine(cost: IdleCost): string {
  return [
    `${cost.tenants} idle tenants up in ${(cost.startMs / 1_000).toFixed(1)} s`,
    `${whole(cost.residentMB)} MB`,
    `${cost.cpuPercent.toFixed(2)} % of a core`,
    `${cost.slackAMinute.toFixed(0)} requests a minute to Slack, ${cost.serviceAMinute.toFixed(0)} to the service`,
    ...(cost.redisConnections > 0
      ? [
          `Redis ${cost.redisMB.toFixed(1)} MB, ${cost.redisConnections} connections, ${cost.redisCommandsASecond.toFixed(0)} commands a second`,
        ]
      : []),
  ].join(', ');
}

function whole(figure: number): string {
  return Math.round(figure).toLocaleString('en');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
