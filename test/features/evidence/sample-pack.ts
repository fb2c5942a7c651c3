import { readFileSync } from 'node:fs';
import type { AuditEntry, ChainLink } from '../../../src/domain/audit-chain.ts';
import type { Campaign, CampaignMember } from '../../../src/domain/campaign.ts';
import { standardNames, type OwnNames } from '../../../src/domain/own-names.ts';
import { createInOwnNames } from '../../../src/words/render.ts';
import type { EvidenceHead } from '../../../src/features/evidence/facts.ts';
import { makePack, type Pack } from '../../../src/features/evidence/pack.ts';
import { createSigningKeys, type Signer, type StoredKeys } from '../../../src/features/evidence/signing-keys.ts';
import { csvOf } from '../../support/csv-of.ts';
import { opened, sealedLink } from '../../support/opened-links.ts';
import { campaignMember, campaignOf, dayMs, monday, standingRule } from '../../support/builders/campaigns.ts';

export const verifierPath = new URL('../../../src/features/evidence/verify.mjs', import.meta.url);
const madeAt = monday + 40 * dayMs;

/** What `verify.mjs` exports. */
export interface Verifier {
  check(path: string, fingerprint?: string): { problems: string[]; findings: string[] };
}

export const hostileNames = [
  '<script>alert(1)</script>',
  '=HYPERLINK("http://evil.example","x")',
  'مريم العربي \u202Eexe.txt',
  `Very ${'long'.repeat(60)} name`,
  '"; DROP TABLE, \r\n"',
  'O’Brien & Søn',
];

/** The keys in a store that two instances share, in which one works at a time. */
export function sharedKeys() {
  let stored: StoredKeys | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const store = {
    get: async () => stored as never,
    async set(_key: string, keys: unknown) {
      stored = keys as StoredKeys;
      return true;
    },
  };
  const inTurn = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(work);
    last = turn;
    return turn;
  };
  return (now: number, madeSince?: number) => createSigningKeys({ store, inTurn, madeSince, now: () => now })();
}

/** A key of its own for each call. */
export const sampleSigner = async (): Promise<Signer> => sharedKeys()(monday);

export function passed(at: number, responseId = `r-${at}`): Pick<CampaignMember, 'attempts'> {
  return {
    attempts: [{ outcome: 'passed', percentage: 90, submittedAt: at, responseId, knownAt: at + 1_000 }],
  };
}

/** A round and a campaign that stands, with people in many states. */
export function sampleCampaigns(people = 12): Campaign[] {
  const named = (index: number) => hostileNames[index % hostileNames.length]!;
  const member = (index: number): CampaignMember =>
    campaignMember(`u-${index}`, {
      name: `${named(index)} ${index}`,
      groups: ['Kitchen', '+Night, "Shift"'],
      notifiedAt: monday + 3_600_000,
      remindedAt: [monday + 7 * dayMs],
      deliveries: [
        { handedAt: monday + 3_600_000, at: monday + 3_601_000 },
        {
          handedAt: monday + 7 * dayMs,
          at: monday + 7 * dayMs + 2_000,
          ...(index % 4 === 3 && { failure: 'user_disabled' }),
        },
      ],
      ...(index % 3 === 0 && passed(monday + (10 + (index % 7)) * dayMs, `r-${index}`)),
      ...(index % 5 === 1 && { excused: { by: 'UTOM', reason: named(index + 1), at: monday + 3 * dayMs } }),
    });
  const members = Array.from({ length: people }, (_, index) => member(index));
  return [
    campaignOf({ members }),
    campaignOf({
      ...standingRule,
      id: 'c-2',
      quiz: { id: 'q-2', name: '<b>Food & "hygiene"' },
      members,
    }),
  ];
}

/** A trail with entries about the campaigns of the sample, and about something else. */
export function sampleLinks(): ChainLink[] {
  const links: ChainLink[] = [];
  for (let number = 0; number < 40; number += 1) {
    const isAbout = number % 3 === 0;
    const entry: AuditEntry = {
      at: monday + number * 3_600_000,
      correlationId: `e-${number}`,
      by: 'UTOM',
      operation: isAbout ? 'excuse-campaign' : 'suspend-user',
      change: isAbout ? 'excuse ⁨Rosa⁩ from ⁨Fire safety⁩' : 'suspend ⁨Secret Person⁩',
      action: 'done',
      through: 'command',
      targets: [
        { kind: 'quiz', id: number % 2 === 0 ? 'q-1' : 'q-2', name: 'Fire safety' },
        ...(isAbout ? [{ kind: 'user', id: 'u-1', name: 'Rosa' }] : []),
      ],
    };
    links.push(sealedLink(entry, links.at(-1)));
  }
  return links;
}

/** A pack whose table nobody looks at. */
export async function samplePack({
  campaigns = sampleCampaigns(),
  links = sampleLinks(),
  erased = [],
  signer,
  head = {},
  names = standardNames,
}: {
  campaigns?: readonly Campaign[];
  links?: readonly ChainLink[];
  /** The owners of texts on the record whose keys are gone. */
  erased?: readonly string[];
  signer?: Signer;
  head?: Partial<EvidenceHead>;
  names?: OwnNames;
} = {}): Promise<Pack> {
  const { table, pack } = makePack({
    head: {
      about: 'all campaigns that Ada <Okafor> sees',
      askedBy: 'Ada <Okafor>',
      since: monday - 30 * dayMs,
      until: madeAt,
      madeAt,
      platform: 'Slack',
      ...head,
    },
    campaigns: (async function* () {
      for (const campaign of campaigns)
        yield { campaign, asOf: madeAt, resultsFrom: 'read from the quiz service' as const, isQuizSeen: true };
    })(),
    questions: (async function* () {})(),
    links: (async function* () {
      yield* opened(links, erased);
    })(),
    namesOf: async (ids) => new Map(ids.map((id) => [id, `Name of ${id}`])),
    signer: signer ?? (await sampleSigner()),
    inOwnNames: createInOwnNames(names),
    verifier: readFileSync(verifierPath, 'utf8'),
  });
  await csvOf(table);
  return pack();
}
