import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';

/** What was measured, and is multiplied. */
export interface UnitCosts {
  /** A process without tenants, and each tenant in it. */
  processMB: number;
  tenantMB: number;
  /** Of a processor, in milliseconds a second. */
  idleCpuMs: number;
  commandCpuMs: number;
  submissionCpuMs: number;
  redisTenantMB: number;
  redisConnections: number;
  redisCommandsASecond: number;
  slackAMinuteIdle: number;
  serviceAMinuteIdle: number;
}

/** How people use it. */
export interface Usage {
  workspaces: number;
  /** People of a workspace: half have fewer, and few have very many. */
  medianPeople: number;
  spread: number;
  mostPeople: number;
  /** By each person on a working day. */
  commandsADay: number;
  submissionsADay: number;
  /** Of each command and submission. */
  slackCallsOfCommand: number;
  slackCallsOfSubmission: number;
  serviceCallsOfCommand: number;
}

/** What the busiest process of so many tenants each has to do. */
interface Load {
  tenantsEach: number;
  processes: number;
  residentMB: number;
  /** Of a processor, in the busiest minute of the day. */
  busiestPercent: number;
  typicalPercent: number;
}

/** What all of them take together. */
interface Totals {
  people: number;
  submissionsADay: number;
  slackAMinute: number;
  serviceAMinute: number;
  redisMB: number;
  redisConnections: number;
  redisCommandsASecond: number;
}

const minutesADay = 1_440;

/** The share of a day’s work in each minute of a workspace: from eight to six, most of it before noon and after lunch. */
const dayShape = (() => {
  const weights = Array.from({ length: minutesADay }, (_, minute) => {
    const hour = minute / 60;
    const bump = (at: number, width: number) => Math.exp(-(((hour - at) / width) ** 2));
    return bump(10, 1.5) + 0.8 * bump(14.5, 1.5) + 0.02;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
})();

/** Where people work: Europe, America and Asia, in minutes off UTC with their shares. */
const zones = [
  { offset: 60, share: 0.5 },
  { offset: -300, share: 0.35 },
  { offset: 480, share: 0.15 },
];

interface SimulatedWorkspace {
  people: number;
  offset: number;
}

/** A normal deviate, from two even ones. */
function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.number())) * Math.cos(2 * Math.PI * random.number());
}

export function drawWorkspaces(usage: Usage, random: SeededRandom): SimulatedWorkspace[] {
  return Array.from({ length: usage.workspaces }, () => {
    const people = Math.min(usage.mostPeople, Math.ceil(usage.medianPeople * Math.exp(usage.spread * normal(random))));
    let rest = random.number();
    const zone = zones.find(({ share }) => (rest -= share) < 0) ?? zones[0]!;
    return { people, offset: zone.offset };
  });
}

/** How often something happens that is to happen so often on average. */
function poisson(mean: number, random: SeededRandom): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let [count, product] = [0, random.number()];
  for (const limit = Math.exp(-mean); product > limit; count += 1) product *= random.number();
  return count;
}

/** Lets a working day go by, minute by minute, in processes that have so many tenants each. */
export function simulate(
  costs: UnitCosts,
  usage: Usage,
  workspaces: readonly SimulatedWorkspace[],
  tenantsEach: number,
  random: SeededRandom,
): { load: Load; totals: Totals } {
  const processes: SimulatedWorkspace[][] = [];
  for (let at = 0; at < workspaces.length; at += tenantsEach) processes.push(workspaces.slice(at, at + tenantsEach));
  const busiest: number[] = [];
  const all = { slack: new Float64Array(minutesADay), service: new Float64Array(minutesADay) };
  for (const tenants of processes) {
    let most = 0;
    for (let minute = 0; minute < minutesADay; minute += 1) {
      const active = tenants.reduce(
        (sum, { people, offset }) => sum + people * dayShape[(minute + offset + minutesADay) % minutesADay]!,
        0,
      );
      const commands = poisson(active * usage.commandsADay, random);
      const submissions = poisson(active * usage.submissionsADay, random);
      const cpuMs =
        commands * costs.commandCpuMs + submissions * costs.submissionCpuMs + tenants.length * costs.idleCpuMs * 60;
      most = Math.max(most, cpuMs / 600);
      all.slack[minute]! +=
        commands * usage.slackCallsOfCommand +
        submissions * usage.slackCallsOfSubmission +
        tenants.length * costs.slackAMinuteIdle;
      all.service[minute]! += commands * usage.serviceCallsOfCommand + tenants.length * costs.serviceAMinuteIdle;
    }
    busiest.push(most);
  }
  const people = workspaces.reduce((sum, workspace) => sum + workspace.people, 0);
  const inOrder = busiest.toSorted((a, b) => a - b);
  return {
    load: {
      tenantsEach,
      processes: processes.length,
      residentMB: costs.processMB + tenantsEach * costs.tenantMB,
      busiestPercent: inOrder.at(-1)!,
      typicalPercent: inOrder[Math.floor(inOrder.length / 2)]!,
    },
    totals: {
      people,
      submissionsADay: people * usage.submissionsADay,
      slackAMinute: Math.max(...all.slack),
      serviceAMinute: Math.max(...all.service),
      redisMB: workspaces.length * costs.redisTenantMB,
      redisConnections: workspaces.length * costs.redisConnections,
      redisCommandsASecond: workspaces.length * costs.redisCommandsASecond,
    },
  };
}
