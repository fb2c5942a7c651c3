import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { countAnnounced, readAnnouncements } from '../support/delivery-report.ts';
import { addAccountPerson, openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { openBoardedCampaign, personIdOf, sendPass } from '../support/process-campaign.ts';
import { costOf, type ProcessCost } from '../support/process-cost.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

interface SubmissionsSize {
  /** Of the campaigns, the smallest first. */
  people: readonly number[];
  first: number;
  measured: number;
  /** Results are gathered for 20 s at most. */
  settledAfterMs: number;
  /** What the bot does without a submission is measured for this long before and after, and the less of it taken off. */
  idleMs: number;
}

const fullSize: SubmissionsSize = {
  people: [250, 1_000, 5_000],
  first: 80,
  measured: 160,
  settledAfterMs: 25_000,
  idleMs: 20_000,
};
const shortSize: SubmissionsSize = { people: [5, 10], first: 2, measured: 3, settledAfterMs: 0, idleMs: 100 };
const betweenMs = 250;
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
  for (const people of size.people) costs.push(await costWith(people, size));
  const ratioOf = (part: keyof ProcessCost) => costs.at(-1)![part] / costs[0]![part];
  const [cpuRatio, writtenRatio] = [ratioOf('cpuMs'), ratioOf('writtenKb')];
  const shown = costs.map((cost, index) => `${size.people[index]!.toLocaleString('en')} people: ${inWords(cost)}`);
  const times = size.people.at(-1)! / size.people[0]!;
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
      figure: `${shown.join('; ')}; ${cpuRatio.toFixed(1)} and ${writtenRatio.toFixed(1)} times as much for ${times} times the people`,
      ...heldAgainst('submission to a large campaign', { cpuRatio, writtenRatio }),
    },
  ];
}

function inWords({ cpuMs, writtenKb }: ProcessCost): string {
  return `${cpuMs.toFixed(1)} ms of CPU and ${writtenKb.toFixed(0)} KB written`;
}

async function costAlone(size: SubmissionsSize): Promise<ProcessCost> {
  // Respondents whom the account doesn’t know are looked up: a request to the service for each.
  const testBed = await openProcessTestBed({ store: 'sqlite', env: { NOTIFY_RESPONDENTS: 'false' } });
  return costOfEach(testBed, size, announcesIn(testBed));
}

async function costWithMessages(size: SubmissionsSize): Promise<ProcessCost> {
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    async beforeStart(_, surroundings) {
      for (let number = 0; number < respondents; number += 1) {
        const userId = `u-member-${number}`;
        addAccountPerson(surroundings, { personId: personIdOf(userId), userId });
      }
    },
  });
  return costOfEach(testBed, size, announcesIn(testBed), respondents);
}

function announcesIn({ workspace }: ProcessTestBed): (count: number) => Promise<void> {
  return async (count) => {
    await workspace.until(
      () => countAnnounced(readAnnouncements(workspace.messages(channels.results.id))) >= count,
      timeoutMs,
    );
  };
}

async function costWith(people: number, size: SubmissionsSize): Promise<ProcessCost> {
  // Slack takes some 40 first direct messages a minute: those that tell people their results would go on for long afterwards.
  const testBed = await openBoardedCampaign(people, { NOTIFY_RESPONDENTS: 'false' });
  const { workspace } = testBed;
  return costOfEach(testBed, size, async (count) => {
    await workspace.until(
      () =>
        workspace
          .messages(channels.training.id)
          .some(({ text }) => text.includes(` ${count.toLocaleString('en')} of `)),
      timeoutMs,
    );
  });
}

/**
 * Closes the test bed.
 * @param shows waits until people see this many submissions
 * @param people who submit, in turn
 */
async function costOfEach(
  { bots: [bot], close }: ProcessTestBed,
  { first, measured, settledAfterMs, idleMs }: SubmissionsSize,
  shows: (count: number) => Promise<void>,
  people = Infinity,
): Promise<ProcessCost> {
  const pid = bot!.pid();
  async function submit(from: number, some: number): Promise<void> {
    const agent = new Agent({ connections: 8 });
    for (let number = from; number < from + some; number += 1) {
      await sendPass(bot!.url, number, agent, { member: number % people });
      await pause(betweenMs);
    }
    await agent.destroy();
    await shows(from + some);
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
    await shows(0);
    await submit(0, first);
    const before = await costDuring(() => pause(idleMs));
    const busy = await costDuring(() => submit(first, measured));
    const after = await costDuring(() => pause(idleMs));
    const ofOne = (part: keyof ProcessCost) => {
      const idleEachMs = Math.min(...[before, after].map((idle) => idle[part] / idle.tookMs));
      return (busy[part] - idleEachMs * busy.tookMs) / measured;
    };
    return { cpuMs: ofOne('cpuMs'), writtenKb: ofOne('writtenKb') };
  } finally {
    await close();
  }
}
