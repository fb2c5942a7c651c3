import type { Campaign } from '../../src/domain/campaign.ts';
import { campaignQueue, campaignsQueue } from '../../src/domain/queues.ts';
import { amount } from '../../src/domain/said.ts';
import { createMail, createSharedState } from '../../src/durable/mail.ts';
import { rememberStates } from '../../src/durable/remembered-states.ts';
import {
  createCampaignLists,
  createCampaignService,
  summaryOf,
} from '../../src/features/campaigns/campaign-service.ts';
import { campaignDivision } from '../../src/features/campaigns/stored-campaign.ts';
import { showMatrix } from '../../src/features/campaigns/operations/list-and-show.ts';
import { everything } from '../../src/governance/rights/rights.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { drawPage } from '../../src/slack/views/blocks/page.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  retentionMs,
  standingRule,
} from '../support/builders/campaigns.ts';
import { quizUser } from '../support/builders/users.ts';
import { recordingLog } from '../support/log.ts';
import { percentile } from '../support/measurements.ts';
import { openOwnSqlite } from '../support/open-stores.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** The people, the quizzes that all of them have to take, and how often the matrix is shown. */
const fullSize = { people: 5_000, quizzes: 40, rounds: 20 };
const shortSize = { people: 50, quizzes: 4, rounds: 2 };
const teamId = 'T1';
const timeZone = 'Europe/Berlin';

/** Measures how long the first page of the matrix takes, from the store to the blocks, and what it asks the quiz service. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  const { people, quizzes, rounds } = size;
  await using store = await openOwnSqlite(() => monday);
  const { storage } = store;
  const outbox = rememberStates(storage.outbox, { campaign: campaignDivision });
  await storeCampaigns(outbox, size);
  // The bot has the list of users at hand.
  const users = Array.from({ length: people }, (_, person) => quizUser({ user_id: `user-${person}` }));
  let requests = 0;
  const ask = async (): Promise<never> => {
    requests += 1;
    throw new Error('the matrix is shown without the service');
  };
  const mail = createMail({ ...storage, outbox, log: recordingLog().log });
  const now = () => monday;
  const lists = createCampaignLists({
    shared: createSharedState({ outbox, mail }),
    retentionMs,
    now,
    steadyNow: now,
  });
  const campaigns = createCampaignService({
    outbox,
    mail,
    lists,
    responses: { list: ask },
    quizzes: async () => [],
    users: async () => users,
    startBatch: ask,
    holidays: new Set(),
    newId: () => 'c-new',
    now,
  })(teamId);
  const actor = { personId: 'UTOM', isOwner: true, user: undefined, nobody: undefined };
  const context = { campaigns, actor, visibility: everything, now, timeZone } as unknown as OperationContext;
  const firstMs = await timeOf(context, people);
  const laterMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) laterMs.push(await timeOf(context, people));
  const [p50, p95] = [percentile(laterMs, 50), percentile(laterMs, 95)];
  return [
    {
      name: `the matrix of ${people.toLocaleString('en')} people and ${quizzes} quizzes, first page`,
      figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, ${requests} requests to the service; ${firstMs.toFixed(0)} ms right after a start`,
      ...heldAgainst('matrix', { p50Ms: p50, requests }),
    },
  ];
}

async function timeOf(context: OperationContext, people: number): Promise<number> {
  const begin = performance.now();
  const result = await showMatrix.run(context, {});
  if (result.kind !== 'page' || !result.heading.includes(amount(people))) throw new Error('there is no matrix');
  drawPage(result);
  return performance.now() - begin;
}

/** Half of them rounds, half standing rules; a third of the people has not passed. */
async function storeCampaigns(
  outbox: ReturnType<typeof rememberStates>,
  { people, quizzes }: typeof fullSize,
): Promise<void> {
  const campaigns = Array.from({ length: quizzes }, (_, number) =>
    campaignOf({
      ...(number % 2 === 0 ? {} : standingRule),
      id: `c-${number}`,
      teamId,
      quiz: { id: `q-${number}`, name: `Quiz ${number}` },
      members: Array.from({ length: people }, (__, person) => memberOf(person, number)),
    }),
  );
  await outbox.commit(campaignsQueue(teamId), {
    version: 0,
    state: { campaigns: campaigns.map(summaryOf) },
    isBusy: false,
  });
  for (const campaign of campaigns)
    await outbox.commit(campaignQueue(teamId, campaign.id), { version: 0, state: { campaign }, isBusy: false });
}

function memberOf(person: number, number: number): Campaign['members'][number] {
  const addedAt = monday - ((person * 13 + number * 7) % 400) * dayMs;
  const result = campaignResult('passed', addedAt);
  return campaignMember(`user-${person}`, {
    name: `Person ${person}`,
    addedAt,
    ...((person * 7 + number) % 3 > 0 && {
      result,
      attempts: [{ ...result, responseId: `r-${person}`, knownAt: addedAt }],
    }),
  });
}
