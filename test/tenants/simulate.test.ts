import { expect, test } from 'vitest';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { drawWorkspaces, simulate, type UnitCosts, type Usage } from '../scale/simulate.ts';

const costs: UnitCosts = {
  processMB: 100,
  tenantMB: 2,
  idleCpuMs: 0,
  commandCpuMs: 10,
  submissionCpuMs: 2,
  redisTenantMB: 0.1,
  redisConnections: 3,
  redisCommandsASecond: 4,
  slackAMinuteIdle: 0,
  serviceAMinuteIdle: 0,
};
const usage: Usage = {
  workspaces: 1_000,
  medianPeople: 60,
  spread: 1.2,
  mostPeople: 50_000,
  commandsADay: 0.05,
  submissionsADay: 0.1,
  slackCallsOfCommand: 1,
  slackCallsOfSubmission: 1,
  serviceCallsOfCommand: 0.5,
};

const run = (each: number, changed: Partial<Usage & UnitCosts> = {}) => {
  const random = createSeededRandom(1);
  const used = { ...usage, ...changed };
  return simulate({ ...costs, ...changed }, used, drawWorkspaces(used, random), each, random);
};

test('half of the workspaces have fewer people than the median', () => {
  const drawn = drawWorkspaces({ ...usage, workspaces: 10_000 }, createSeededRandom(3));
  const fewer = drawn.filter(({ people }) => people <= usage.medianPeople).length;
  expect(fewer).toBeGreaterThan(4_700);
  expect(fewer).toBeLessThan(5_300);
});

test('all processes together have every tenant, and memory grows with the tenants in each', () => {
  const { load } = run(100);
  expect(load).toMatchObject({ processes: 10, residentMB: 300 });
  expect(run(300).load.processes).toBe(4);
});

test('the requests of a day are those of its commands and submissions', () => {
  const few = run(100, { slackCallsOfSubmission: 0, slackCallsOfCommand: 0, slackAMinuteIdle: 1 });
  expect(few.totals.slackAMinute).toBe(1_000);
  const busy = run(100);
  // A busy minute has more than its even share of the day.
  expect(busy.totals.slackAMinute).toBeGreaterThan((busy.totals.people * 0.15) / 1_440);
});

test('a process is busier with more tenants, and when a command costs more', () => {
  const [few, many, dear] = [run(50), run(500), run(500, { commandCpuMs: 100 })];
  expect(many.load.typicalPercent).toBeGreaterThan(few.load.typicalPercent);
  expect(dear.load.typicalPercent).toBeGreaterThan(many.load.typicalPercent * 2);
});
