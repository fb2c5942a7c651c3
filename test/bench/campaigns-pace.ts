import { WebClient } from '@slack/web-api';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { teamId } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { systemClock } from '../../src/time/clock.ts';
import { addMembers, campaignFor, membersFor, nextMonday, storeCampaign } from '../support/process-campaign.ts';
import { botToken, openProcessTestBed } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const timeoutMs = 10 * 60_000;

/**
 * Measures how fast the first messages of a campaign go out, on a Monday at 10:00, while Slack’s limits apply. Conversations
 * that the bot does not know yet open more slowly: Slack takes 50 `conversations.open` a minute.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const [known, unknown] = await Promise.all([
    sendFirstMessages({ people: isShort ? 5 : 1_000, knowsConversations: true }),
    sendFirstMessages({ people: isShort ? 5 : 100, knowsConversations: false }),
  ]);
  return [
    {
      name: 'first messages of a campaign of 1,000 people',
      figure: figureOf(known),
      ...heldAgainst('first messages', { perMinute: known.perMinute, refused: known.tooMany }),
    },
    {
      name: 'first messages to 100 people with whom the bot has no conversation yet',
      figure: figureOf(unknown),
      ...heldAgainst('first messages to strangers', { refused: unknown.tooMany }),
    },
  ];
}

type Pace = Awaited<ReturnType<typeof sendFirstMessages>>;

function figureOf({ perMinute, seconds, firstAfterS, tooMany }: Pace): string {
  return `${perMinute.toFixed(0)} a minute (${seconds.toFixed(0)} s, the first after ${firstAfterS.toFixed(1)} s; ${tooMany} answers with 429)`;
}

async function sendFirstMessages({ people, knowsConversations }: { people: number; knowsConversations: boolean }) {
  const startedAt = nextMonday(10);
  const clock = createSandboxClock(startedAt - Date.now());
  const campaign = campaignFor(membersFor(people, { zones: ['Etc/UTC'], addedAt: startedAt }), { startedAt });
  const personIds = campaign.members.flatMap(({ personId }) => personId ?? []);
  await using testBed = await openProcessTestBed({
    store: 'sqlite',
    clock,
    env: { ALERTS_CHANNEL: '' },
    async beforeStart(env, around) {
      addMembers(campaign, around);
      await storeCampaign(campaign, env);
      if (knowsConversations) await openConversations(personIds, env, around.workspace);
    },
  });
  const { workspace } = testBed;
  const upAt = clock.now();
  const posted = () =>
    workspace.calls.filter(({ method, ok }) => method === 'chat.postMessage' && ok).map(({ at }) => at / 1_000);
  await workspace.until(() => posted().length >= people, timeoutMs);
  const times = posted();
  if (times.length !== people) throw new Error(`${times.length} messages to ${people} people`);
  const [first = Number.NaN, last = Number.NaN] = [times[0], times.at(-1)];
  const seconds = last - first;
  return {
    perMinute: ((people - 1) * 60) / seconds,
    seconds,
    firstAfterS: first - upAt / 1_000,
    tooMany: workspace.calls.filter(({ status }) => status === 429).length,
  };
}

/** As they are for people to whom the bot has written before. */
async function openConversations(
  personIds: readonly string[],
  { DATA_DIR = '' }: { DATA_DIR?: string },
  { apiUrl, faults }: Pick<Workspace, 'apiUrl' | 'faults'>,
): Promise<void> {
  const { storage } = await openStorage({
    dataDir: DATA_DIR,
    redisUrl: undefined,
    clock: systemClock,
    onError: () => {},
  });
  await storage.open();
  const conversations = storage.kv<string>('slack-conversations');
  faults.setRateLimits(false);
  const client = new WebClient(botToken, { slackApiUrl: apiUrl });
  for (const personId of personIds) {
    const { channel } = await client.conversations.open({ users: personId });
    await conversations.set(`${teamId}:${personId}`, channel?.id ?? '');
  }
  faults.setRateLimits(true);
  await storage.close();
}
