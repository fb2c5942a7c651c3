import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEntry, ChainLink } from '../../src/domain/audit-chain.ts';
import type { RecordedLink } from '../../src/domain/sealed-entry.ts';
import { opened, sealedLink } from '../support/opened-links.ts';
import type { Campaign, CampaignMember } from '../../src/domain/campaign.ts';
import { makePack, type Pack, type PackContents } from '../../src/features/evidence/pack.ts';
import { campaignMember, campaignOf, dayMs, monday } from '../support/builders/campaigns.ts';
import { passed, sampleSigner, verifierPath } from '../features/evidence/sample-pack.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import { createRender } from '../../src/words/render.ts';
import { workbookFile } from '../../src/operations/table-file.ts';
import { collectGarbage } from '../support/measurements.ts';

/* A program that makes one pack, and reports its size, and how much more memory it took at most. */

const [people, campaigns, entries] = process.argv.slice(2).map(Number) as [number, number, number];
const yearMs = 366 * dayMs;
const texts = Array.from({ length: campaigns }, (_, number) => storedText(number));
// A bot at work has compiled its code, and V8 has its room for what is young.
await sentPack(await contentsFor(texts.slice(0, 1), entries / 10));
const base = startingPoint();
let peak = base;
let longestMs = 0;
const done = new AbortController();
const watching = watch();
const began = performance.now();
const sent = await sentPack(await contentsFor(texts, entries));
const seconds = (performance.now() - began) / 1_000;
done.abort();
await watching;
process.send?.({ bytes: sent.content.length, seconds, mebibytes: (peak - base) / 2 ** 20, longestMs });
process.disconnect?.();

/** As the bot makes it: beside the workbook of its table. */
async function sentPack(contents: PackContents): Promise<Pack> {
  const { table, pack } = makePack(contents);
  const render = createRender(standardNames);
  await workbookFile(table, { name: 'Training evidence', render, timeZone: 'Europe/Berlin' });
  return pack();
}

async function contentsFor(campaignTexts: readonly string[], links: number): Promise<PackContents> {
  return {
    head: {
      about: 'all campaigns',
      askedBy: 'Ada Okafor',
      since: monday - dayMs,
      until: monday + yearMs,
      madeAt: monday + yearMs,
      platform: 'Slack',
    },
    campaigns: stored(campaignTexts),
    questions: (async function* () {})(),
    links: trail(links),
    namesOf: async (ids) => new Map(ids.map((id) => [id, 'Tom Lindqvist'])),
    signer: await sampleSigner(),
    inOwnNames: (sentence) => sentence,
    verifier: readFileSync(verifierPath, 'utf8'),
  };
}

/** Resident memory, which includes what is outside V8’s heap. */
function startingPoint(): number {
  collectGarbage();
  return process.memoryUsage.rss();
}

/** Looks at the memory whenever something else has a turn, and how long that took. */
async function watch(): Promise<void> {
  for (let last = performance.now(); !done.signal.aborted; last = performance.now()) {
    await nextTurn();
    peak = Math.max(peak, process.memoryUsage.rss());
    longestMs = Math.max(longestMs, performance.now() - last);
  }
}

/** Campaigns as the store gives them, one after the other. */
async function* stored(campaignTexts: readonly string[]) {
  for (const text of campaignTexts)
    yield {
      campaign: JSON.parse(text) as Campaign,
      asOf: monday + yearMs,
      resultsFrom: 'read from the quiz service' as const,
      isQuizSeen: true,
    };
}

function storedText(number: number): string {
  const members = Array.from({ length: people }, (_, index) => memberOf(index, number));
  const quiz = { id: `q-${number}`, name: `Quiz ${number}` };
  return JSON.stringify(campaignOf({ id: `c-${number}`, quiz, members }));
}

/** Somebody who was told and reminded twice, and passed at the second try or not at all. */
function memberOf(index: number, number: number): CampaignMember {
  const begin = monday + number * 30 * dayMs;
  const handed = [begin, begin + 7 * dayMs, begin + 13 * dayMs];
  const at = begin + (index % 20) * dayMs;
  const failed = { outcome: 'failed', percentage: 40, submittedAt: at - 3_600_000 } as const;
  const { attempts } = passed(at, `r-${number}-${index}`);
  return campaignMember(`user-${index}`, {
    name: `First${index} Last${(index * 7_919) % 10_007}`,
    groups: ['Kitchen', `Team ${index % 40}`],
    addedAt: begin,
    notifiedAt: begin,
    remindedAt: handed.slice(1),
    deliveries: handed.map((handedAt, place) => ({ handedAt, at: handedAt + 1_000 + place * 37 + index })),
    ...(index % 10 !== 0 && {
      attempts: [{ ...failed, responseId: `f-${number}-${index}`, knownAt: at }, ...attempts],
    }),
  });
}

async function* trail(count: number): AsyncGenerator<RecordedLink> {
  let last: ChainLink | undefined;
  for (let number = 0; number < count; number += 1) {
    const isAbout = number % 50 === 0;
    const entry: AuditEntry = {
      at: monday + number * 60_000,
      correlationId: `e-${number}`,
      by: 'UTOM',
      operation: isAbout ? 'excuse-campaign' : 'assign-quiz',
      change: 'excuse ⁨Rosa⁩ from ⁨Quiz⁩',
      action: 'done',
      through: 'command',
      targets: [
        { kind: 'quiz', id: `q-${number % campaigns}`, name: 'Quiz' },
        { kind: 'user', id: 'user-1', name: 'Rosa' },
      ],
    };
    last = sealedLink(entry, last);
    yield* opened([last]);
  }
}
