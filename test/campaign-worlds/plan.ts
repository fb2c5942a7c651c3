import fc from 'fast-check';

/** A world: its people, their campaigns, and what happens within 60 days. Times are hours since its begin. */
export interface WorldPlan {
  people: readonly PersonPlan[];
  campaigns: readonly CampaignDraft[];
  kills: readonly Kill[];
}

export interface PersonPlan {
  timeZone: string;
  isDisturbedLate: boolean;
  happens: readonly { at: number; kind: 'suspend' | 'leave' | 'delete' | 'rename' | 'turn off'; backAfter: number }[];
}

export interface CampaignDraft {
  startsAt: number;
  /** Indexes of people, the first of a row of neighbours. */
  first: number;
  members: number;
  dueAfter: number;
  remindDays: readonly number[];
  overdueDays: number | undefined;
  escalateDays: number | undefined;
  hasBoard: boolean;
  completeWhen: 'passed' | 'submitted';
  validMonths: number | undefined;
  /** Attempts of its members before it. */
  before: readonly { who: number; daysAgo: number; passed: boolean }[];
  happens: readonly CampaignHappening[];
}

const campaignKinds = [
  'pass',
  'pass unheard',
  'fail',
  'fail unheard',
  'delete attempt',
  'excuse',
  'excuse until',
  'include',
  'extend',
  'shorten',
  'add',
  'remind',
  'not me',
  'snooze',
  'close',
  'open',
  'rename quiz',
  'delete quiz',
  'end',
  'report',
] as const;
type CampaignKind = (typeof campaignKinds)[number];

export interface CampaignHappening {
  /** Hours since the start of the campaign. */
  after: number;
  kind: CampaignKind;
  /** Which of the members, attempts or neighbours. */
  who: number;
  days: number;
  /** An attempt: by the link of the quiz, without signing in. */
  isByLink: boolean;
  /** Its webhook is signed without its body, and comes two seconds before the service shows the submission. */
  isHinted: boolean;
}

export interface Kill {
  at: number;
  awayMs: number;
  /** How many turns of the event loop after the moment; undefined: when all is quiet. */
  turns: number | undefined;
  lostAnswers: number;
}

export const days = 60;
const peopleCount = 30;
const zones = [
  'Etc/UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Pacific/Auckland',
];

const rarely = (one: number) => fc.integer({ min: 1, max: one }).map((number) => number === 1);
const hours = (min: number, max: number) =>
  fc.integer({ min: Math.round(min * 60), max: Math.round(max * 60) }).map((minutes) => minutes / 60);

const person: fc.Arbitrary<PersonPlan> = fc.record({
  timeZone: fc.constantFrom(...zones),
  isDisturbedLate: rarely(6),
  happens: fc.array(
    fc.record({
      at: hours(1, (days - 1) * 24),
      kind: fc.constantFrom('suspend', 'suspend', 'leave', 'leave', 'delete', 'rename', 'turn off'),
      backAfter: hours(1, 10 * 24),
    }),
    { maxLength: 1 },
  ),
});

/** How often each happens, of a hundred. */
const shares: Record<CampaignKind, number> = {
  pass: 16,
  'pass unheard': 8,
  fail: 8,
  'fail unheard': 5,
  'delete attempt': 8,
  excuse: 7,
  'excuse until': 5,
  include: 5,
  extend: 6,
  shorten: 3,
  add: 5,
  remind: 4,
  'not me': 4,
  snooze: 4,
  close: 4,
  open: 5,
  'rename quiz': 2,
  'delete quiz': 1,
  end: 1,
  report: 8,
};
const kind: fc.Arbitrary<CampaignKind> = fc.oneof(
  ...campaignKinds.map((one) => ({ weight: shares[one], arbitrary: fc.constant(one) })),
);

const happening: fc.Arbitrary<CampaignHappening> = fc.record({
  after: fc.oneof(hours(0.1, 72), hours(0.1, 21 * 24), hours(0.1, 40 * 24)),
  kind,
  who: fc.nat(97),
  days: fc.integer({ min: 1, max: 14 }),
  isByLink: rarely(3),
  isHinted: rarely(3),
});

const campaign: fc.Arbitrary<CampaignDraft> = fc.record({
  startsAt: hours(1, 20 * 24),
  first: fc.nat(peopleCount - 1),
  members: fc.integer({ min: 1, max: 5 }),
  dueAfter: fc.integer({ min: 2, max: 21 * 24 }),
  remindDays: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
  overdueDays: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
  escalateDays: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 2 }),
  hasBoard: rarely(2),
  completeWhen: fc.constantFrom('passed', 'passed', 'submitted'),
  validMonths: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined, freq: 2 }),
  before: fc.array(
    fc.record({
      who: fc.nat(4),
      // A pass of three weeks ago is valid for a month, and no longer when the campaign is due.
      daysAgo: fc.oneof(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 18, max: 30 })),
      passed: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  happens: fc.array(happening, { minLength: 3, maxLength: 14 }),
});

const kill: fc.Arbitrary<Kill> = fc.record({
  at: fc.oneof(
    hours(24, (days - 1) * 24),
    // When messages go out: 9:00 in some zone.
    fc.integer({ min: 24, max: (days - 1) * 24 }).map((hour) => hour + 0.001),
  ),
  awayMs: fc.oneof(fc.integer({ min: 1_000, max: 10 * 60_000 }), fc.integer({ min: 60_000, max: 30 * 3_600_000 })),
  turns: fc.option(fc.nat(120), { nil: undefined }),
  lostAnswers: fc.nat(2),
});

/** @param campaigns how many */
export function planWorld(seed: number, campaigns: number): WorldPlan {
  const world = fc.record({
    people: fc.array(person, { minLength: peopleCount, maxLength: peopleCount }),
    campaigns: fc.array(campaign, { minLength: campaigns, maxLength: campaigns }),
    kills: fc.array(kill, { minLength: 2, maxLength: 6 }),
  });
  return fc.sample(world, { seed, numRuns: 1 })[0]!;
}
