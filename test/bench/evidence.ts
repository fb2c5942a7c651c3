import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEntry, ChainLink } from '../../src/domain/audit-chain.ts';
import type { Campaign, CampaignMember } from '../../src/domain/campaign.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import type { RecordedLink } from '../../src/domain/sealed-entry.ts';
import { makePack, type Pack, type PackContents } from '../../src/features/evidence/pack.ts';
import { workbookFile } from '../../src/operations/table-file.ts';
import { createRender } from '../../src/words/render.ts';
import { missedChanges } from '../features/evidence/changes.ts';
import { passed, sampleSigner, verifierPath } from '../features/evidence/sample-pack.ts';
import { apart } from '../support/apart.ts';
import { campaignMember, campaignOf, dayMs, monday } from '../support/builders/campaigns.ts';
import { collectGarbage } from '../support/measurements.ts';
import { opened, sealedLink } from '../support/opened-links.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const yearMs = 366 * dayMs;
const fullPack = { people: 1_000, campaigns: 12, entries: 100_000 };
const shortPack = { people: 20, campaigns: 2, entries: 1_000 };

/** Measures a pack of a year, and how many of many random changes of a pack go unnoticed. `--size`: the number of changes. */
export async function run({ isShort, size = isShort ? 20 : 10_000, seed = 1 }: BenchOptions): Promise<BenchRow[]> {
  const asked = isShort ? shortPack : fullPack;
  const { bytes, seconds, mebibytes, longestMs } = await apart(import.meta.url, madePack, [asked]);
  const { people, campaigns, entries } = asked;
  const missed = await missedOf(size, seed);
  return [
    {
      name: `an evidence pack on ${people.toLocaleString('en')} people in ${campaigns} campaigns, with ${entries.toLocaleString('en')} entries of the audit trail`,
      figure: `${(bytes / 2 ** 20).toFixed(1)} MiB in ${seconds.toFixed(1)} s, ${mebibytes.toFixed(0)} MiB more memory at most, nothing else held up for longer than ${longestMs.toFixed(0)} ms`,
      ...heldAgainst('pack', { seconds, mebibytes }),
    },
    {
      name: `${size.toLocaleString('en')} random changes of an evidence pack`,
      figure: `${(size - missed.length).toLocaleString('en')} found${missed.length > 0 ? `, but not ${missed.slice(0, 5).join('; ')}` : ''}`,
      ...heldAgainst('changed packs', { missed: missed.length }),
    },
  ];
}

async function missedOf(count: number, seed: number): Promise<string[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'invigilator-evidence-'));
  return await missedChanges(count, seed, folder.path);
}

/** Makes a pack, and watches the resident memory, which includes what is outside V8’s heap, whenever something else has a turn. */
export async function madePack({ people, campaigns, entries }: typeof fullPack) {
  const texts = Array.from({ length: campaigns }, (_, number) => storedText(number, people));
  // A bot at work has compiled its code, and V8 has its room for what is young.
  await sentPack(await contentsFor(texts.slice(0, 1), entries / 10));
  collectGarbage();
  const base = process.memoryUsage.rss();
  let [peak, longestMs] = [base, 0];
  const done = new AbortController();
  const watching = (async () => {
    for (let last = performance.now(); !done.signal.aborted; last = performance.now()) {
      await nextTurn();
      peak = Math.max(peak, process.memoryUsage.rss());
      longestMs = Math.max(longestMs, performance.now() - last);
    }
  })();
  const began = performance.now();
  const sent = await sentPack(await contentsFor(texts, entries));
  const seconds = (performance.now() - began) / 1_000;
  done.abort();
  await watching;
  return { bytes: sent.content.length, seconds, mebibytes: (peak - base) / 2 ** 20, longestMs };
}

/** As the bot makes it: beside the workbook of its table. */
async function sentPack(contents: PackContents): Promise<Pack> {
  const { table, pack } = makePack(contents);
  const render = createRender(standardNames);
  await workbookFile(table, { name: 'Training evidence', render, timeZone: 'Europe/Berlin' });
  return pack();
}

async function contentsFor(campaignTexts: readonly string[], entries: number): Promise<PackContents> {
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
    links: trail(entries, campaignTexts.length),
    namesOf: async (ids) => new Map(ids.map((id) => [id, 'Tom Lindqvist'])),
    signer: await sampleSigner(),
    inOwnNames: (sentence) => sentence,
    verifier: readFileSync(verifierPath, 'utf8'),
  };
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

function storedText(number: number, people: number): string {
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

async function* trail(count: number, campaigns: number): AsyncGenerator<RecordedLink> {
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
