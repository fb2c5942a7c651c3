import { mkdtempDisposableSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Campaign, CampaignEvent } from '../../src/domain/campaign.ts';
import { campaignQueue } from '../../src/domain/queues.ts';
import { rememberStates } from '../../src/durable/remembered-states.ts';
import { campaignDivision } from '../../src/features/campaigns/stored-campaign.ts';
import { applyEvents, withoutOld } from '../../src/features/campaigns/events.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import {
  campaignMember,
  campaignOf,
  campaignResult,
  dayMs,
  monday,
  retentionMs,
  standingRule,
} from '../support/builders/campaigns.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const years = [1, 3, 4, 10] as const;
const yearMs = 365.25 * dayMs;

/** Measures what the store keeps of a person who gets three messages a year, and passes at the second attempt. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const people = isShort ? 20 : 1_000;
  const userIds = Array.from({ length: people }, () => crypto.randomUUID());
  const rounds = await Promise.all(years.map(async (count) => bytesOf(roundsOf(count, userIds), people)));
  const standing = await Promise.all(years.map(async (count) => bytesOf([standingFor(count, userIds)], people)));
  const shown = (bytes: readonly number[]) =>
    years.map((count, index) => `${count} ${count === 1 ? 'year' : 'years'}: ${bytes[index]!.toFixed(0)}`).join('; ');
  const perYear = (rounds[1]! - rounds[0]!) / 2;
  const [, , full = 0, late = 0] = standing;
  return [
    {
      name: `kept of each of ${people.toLocaleString('en')} people in a campaign a year, in bytes of the SQLite file`,
      figure: `${perYear.toFixed(0)} a year (${shown(rounds)})`,
      ...heldAgainst('kept a year', { bytes: perYear }),
    },
    {
      name: 'kept of each of them in a campaign that stands, with RETENTION_YEARS of 3',
      figure: shown(standing),
      ...heldAgainst('kept at most', { ratio: late / full }),
    },
  ];
}

/** What a file with these campaigns takes beyond an empty one, for each person. */
async function bytesOf(campaigns: readonly Campaign[], people: number): Promise<number> {
  return ((await fileBytes(campaigns)) - (await fileBytes([]))) / people;
}

async function fileBytes(campaigns: readonly Campaign[]): Promise<number> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'invigilator-bench-'));
  const storage = openSqliteStorage(folder.path, { now: () => monday });
  await storage.open();
  const outbox = rememberStates(storage.outbox, { campaign: campaignDivision });
  for (const campaign of campaigns)
    await outbox.commit(campaignQueue('T1', campaign.id), {
      version: 0,
      state: { campaign },
      isBusy: campaign.rule.standing !== null,
    });
  await storage.close();
  return statSync(join(folder.path, 'invigilator.sqlite')).size;
}

function roundsOf(count: number, userIds: readonly string[]): Campaign[] {
  return Array.from({ length: count }, (_, year) =>
    applyEvents(
      campaignOf({ id: crypto.randomUUID(), members: membersFrom(monday + year * yearMs, userIds) }),
      yearOf(year, true, userIds),
    ),
  );
}

function standingFor(count: number, userIds: readonly string[]): Campaign {
  const begun = campaignOf({ ...standingRule, id: crypto.randomUUID(), members: membersFrom(monday, userIds) });
  return Array.from({ length: count }).reduce<Campaign>(
    (campaign, _, year) =>
      withoutOld(applyEvents(campaign, yearOf(year, year === 0, userIds)), monday + (year + 1) * yearMs - retentionMs),
    begun,
  );
}

function membersFrom(addedAt: number, userIds: readonly string[]) {
  return userIds.map((userId, index) =>
    campaignMember(userId, {
      name: `First${index} Last${(index * 7_919) % 10_007}`,
      groups: ['Kitchen', `Team ${index % 40}`],
      personId: `U0${(index + 1_000_000).toString(36).toUpperCase().padStart(9, '0')}`,
      timeZone: 'Europe/Berlin',
      addedAt,
    }),
  );
}

/** Three messages, an attempt that fails and one that passes. @param isFirst the first message is none that reminds */
function yearOf(year: number, isFirst: boolean, userIds: readonly string[]): CampaignEvent[] {
  const begin = monday + year * yearMs;
  const handed = [begin, begin + 7 * dayMs, begin + 13 * dayMs];
  return [
    ...(isFirst ? [{ kind: 'handed', userIds, at: begin } as const] : []),
    ...handed.slice(isFirst ? 1 : 0).map((at) => ({ kind: 'handed', userIds, at }) as const),
    ...userIds.flatMap((userId, index): CampaignEvent[] => {
      const at = begin + (index % 20) * dayMs;
      return [
        ...handed.map(
          (handedAt) => ({ kind: 'delivery', userId, handedAt, at: handedAt + 1_000 + index, failure: null }) as const,
        ),
        ...(['failed', 'passed'] as const).map((outcome, place): CampaignEvent => ({
          kind: 'result',
          userId,
          responseId: crypto.randomUUID(),
          result: { ...campaignResult(outcome, at + place * 3_600_000), percentage: 40 + place * 50 },
          at: at + place * 3_600_000 + 5_000,
        })),
      ];
    }),
  ];
}
