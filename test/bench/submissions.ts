import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { countAnnounced, readAnnouncements } from '../support/delivery-report.ts';
import { addAccountPerson, openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { openBoardedCampaign, personIdOf, sendPass } from '../support/process-campaign.ts';
import { costOf, type ProcessCost } from '../support/process-cost.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const betweenMs = 250;
/** `members`: of the campaigns, the smallest first. */
const fullSize = {
  members: [250, 1_000, 5_000],
  first: 80,
  measured: 160,
  betweenMs,
  settledAfterMs: 25_000,
  idleMs: 20_000,
};
const shortSize = { members: [5, 10], first: 2, measured: 3, betweenMs, settledAfterMs: 0, idleMs: 100 };
/** Slack takes some 40 first direct messages a minute, and one message a second in each conversation. */
const respondents = 20;
const timeoutMs = 120_000;

/** Measures what a submission costs the bot: announced in a channel, also sent to its respondent, and as the campaign that it counts for grows. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  const pace = `${(1_000 / betweenMs).toFixed(0)} a second`;
  const alone = await costAlone(size);
  const sent = await costWithMessages(size);
  const costs: ProcessCost[] = [];
  for (const people of size.members) costs.push(await costWith(people, size));
  const { shown, ...ratios } = growth(costs, size.members, 'people');
  return [
    {
      name: `a submission without a campaign, announced in a channel, without direct messages, ${pace}`,
      figure: inWords(alone),
      ...heldAgainst('submission', alone),
    },
    {
      name: `a submission without a campaign, announced in a channel and sent to its respondent, one of ${respondents}, ${pace}`,
      figure: inWords(sent),
    },
    {
      name: `a submission to a campaign with a board, without direct messages, ${pace}`,
      figure: shown,
      ...heldAgainst('submission to a large campaign', ratios),
    },
  ];
}

async function costAlone(size: typeof fullSize): Promise<ProcessCost> {
  // Respondents whom the account doesn’t know are looked up: a request to the service for each.
  const testBed = await openProcessTestBed({ store: 'sqlite', env: { NOTIFY_RESPONDENTS: 'false' } });
  return costOfEach(testBed, { ...size, shows: announcesIn(testBed) });
}

async function costWithMessages(size: typeof fullSize): Promise<ProcessCost> {
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    async beforeStart(_, surroundings) {
      for (let number = 0; number < respondents; number += 1) {
        const userId = `u-member-${number}`;
        addAccountPerson(surroundings, { personId: personIdOf(userId), userId });
      }
    },
  });
  return costOfEach(testBed, { ...size, people: respondents, shows: announcesIn(testBed) });
}

function announcesIn({ workspace }: ProcessTestBed): (count: number) => Promise<void> {
  return async (count) => {
    await workspace.until(
      () => countAnnounced(readAnnouncements(workspace.messages(channels.results.id))) >= count,
      timeoutMs,
    );
  };
}

async function costWith(people: number, size: typeof fullSize): Promise<ProcessCost> {
  // Slack takes some 40 first direct messages a minute: those that tell people their results would go on for long afterwards.
  const testBed = await openBoardedCampaign(people, { NOTIFY_RESPONDENTS: 'false' });
  const { workspace } = testBed;
  const shows = async (count: number) => {
    const shown = ` ${count.toLocaleString('en')} of `;
    const boards = () => workspace.messages(channels.training.id);
    await workspace.until(() => boards().some(({ text }) => text.includes(shown)), timeoutMs);
  };
  return costOfEach(testBed, { ...size, shows });
}

/** What a submission costs with so many of something, and how much more with the most of them than with the fewest. */
export function growth(costs: readonly ProcessCost[], counts: readonly number[], of: string) {
  const ratioOf = (part: keyof ProcessCost) => costs.at(-1)![part] / costs[0]![part];
  const [cpuRatio, writtenRatio] = [ratioOf('cpuMs'), ratioOf('writtenKb')];
  const each = costs.map((cost, index) => `${counts[index]!.toLocaleString('en')} ${of}: ${inWords(cost)}`);
  const times = counts.at(-1)! / counts[0]!;
  const more = `${cpuRatio.toFixed(1)} and ${writtenRatio.toFixed(1)} times as much for ${times} times the ${of}`;
  return { cpuRatio, writtenRatio, shown: `${each.join('; ')}; ${more}` };
}

function inWords({ cpuMs, writtenKb }: ProcessCost): string {
  return `${cpuMs.toFixed(1)} ms of CPU and ${writtenKb.toFixed(0)} KB written`;
}

interface SubmissionsOptions {
  /** Sent before those that are measured. */
  first: number;
  measured: number;
  betweenMs: number;
  /** Results are gathered for 20 s at most. */
  settledAfterMs: number;
  /** What the bot does without a submission is measured for this long before and after, and the less of it taken off. Default: 0 */
  idleMs?: number;
  /** Waits until people see this many submissions. */
  shows?: (count: number) => Promise<void>;
  /** Who submit, in turn. Default: everybody once. */
  people?: number;
  /** Default: that of the campaign. */
  quiz?: { id: string; name: string };
}

/** What a submission costs the bot of a test bed, which is closed then. */
export async function costOfEach(
  { bots: [bot], close }: ProcessTestBed,
  {
    first,
    measured,
    betweenMs: pauseMs,
    settledAfterMs,
    idleMs = 0,
    shows,
    people = Infinity,
    quiz,
  }: SubmissionsOptions,
): Promise<ProcessCost> {
  const pid = bot!.pid();
  async function submit(from: number, some: number): Promise<void> {
    const agent = new Agent({ connections: 8 });
    for (let number = from; number < from + some; number += 1) {
      await sendPass(bot!.url, number, agent, { member: number % people, ...(quiz && { quiz }) });
      await pause(pauseMs);
    }
    await agent.destroy();
    await shows?.(from + some);
    await pause(settledAfterMs);
  }
  async function costDuring(work: () => Promise<unknown>): Promise<ProcessCost & { tookMs: number }> {
    const [before, begin] = [costOf(pid), performance.now()];
    await work();
    const after = costOf(pid);
    return {
      cpuMs: after.cpuMs - before.cpuMs,
      writtenKb: after.writtenKb - before.writtenKb,
      tookMs: performance.now() - begin,
    };
  }

  try {
    await shows?.(0);
    await submit(0, first);
    const before = await costDuring(() => pause(idleMs));
    const busy = await costDuring(() => submit(first, measured));
    const after = await costDuring(() => pause(idleMs));
    const ofOne = (part: keyof ProcessCost) => {
      const idleEachMs = idleMs === 0 ? 0 : Math.min(...[before, after].map((idle) => idle[part] / idle.tookMs));
      return (busy[part] - idleEachMs * busy.tookMs) / measured;
    };
    return { cpuMs: ofOne('cpuMs'), writtenKb: ofOne('writtenKb') };
  } finally {
    await close();
  }
}
