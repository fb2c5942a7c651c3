/** What a number of a row has to be. */
export interface Limit {
  kind: 'atLeast' | 'atMost' | 'exactly';
  limit: number;
  /** What the number counts, with `{}` in its place. */
  words: string;
  /** Whether the number says the same on every machine, so that `--compare` holds it against figures.json. */
  isCompared?: true;
}

const atLeast = (limit: number, words: string): Limit => ({ kind: 'atLeast', limit, words });
const atMost = (limit: number, words: string): Limit => ({ kind: 'atMost', limit, words });
const exactly = (limit: number, words: string): Limit => ({ kind: 'exactly', limit, words });
/**
 * For ratios to something that was measured in the same run, and for counts; not for times and memory, and not where a
 * benchmark takes too long to run several times. A goal with such a number belongs to one row.
 */
const compared = (limit: Limit): Limit => ({ ...limit, isCompared: true });

const requests = (writes: number, reads: number) => ({
  writes: compared(exactly(writes, writes === 1 ? '{} write' : '{} writes')),
  reads: compared(atMost(reads, reads === 1 ? '{} read' : '{} reads')),
});
const nothingLost = {
  lost: exactly(0, '{} lost'),
  doubled: exactly(0, '{} duplicated'),
  wrong: exactly(0, '{} wrong'),
};
const listOfMany = { mostMs: atMost(300, '{} ms') };
const answersOfMany = {
  peakMB: atMost(500, '{} MB'),
  healthMs: atMost(250, '{} ms for /healthz'),
  failed: exactly(0, '{} failed'),
};
const holdUp = { cpuMs: atMost(50, '{} ms of CPU time') };
const batch = (percent: number) => ({
  excessPercent: compared(atMost(percent, '{} % over the floor')),
  refused: exactly(0, '{} times 429'),
});
const p99 = (ms: number) => ({ p99Ms: atMost(ms, '{} ms (p99)') });

/** What the rows of the bench have to reach: a row says which of these it is held against. */
export const goals = {
  'first list': { ms: atMost(450, '{} ms') },
  'idle memory': { ratio: compared(atMost(1.6, '{} times its memory')) },
  'idle SQLite': {
    reads: compared(atMost(0.5, '{} reads a second')),
    // The bot writes once a minute which content its file has.
    writes: compared(atMost(0.05, '{} writes a second')),
    cpuPercent: atMost(0.3, '{} % of a core'),
  },
  'idle Redis': { commands: compared(atMost(4, '{} commands a second')), cpuPercent: atMost(0.3, '{} % of a core') },

  'change by command': requests(1, 1),
  'change by form': requests(1, 1),
  assignment: requests(1, 1),
  suspension: requests(1, 1),
  list: requests(0, 1),
  picker: requests(0, 0),
  'approved suspension': { writes: exactly(1, '{} write'), all: compared(atMost(6, '{} requests')) },
  'approved deletion': { writes: exactly(1, '{} write'), all: compared(atMost(8, '{} requests')) },

  'client, one quiz': { ratio: compared(atLeast(0.85, '{} of its speed')) },
  'client, list': { ratio: compared(atLeast(0.85, '{} of its speed')) },
  budget: { excessPercent: atMost(3, '{} % over the ideal'), refused: exactly(0, '{} times 429') },
  'batch alone': batch(3),
  'batch beside people': batch(4),
  'batch beside a person': batch(4),
  'commands beside a batch': { ratio: atMost(1.2, '{} times as long') },

  keystroke: p99(15),
  match: p99(50),
  index: { ms: atMost(500, '{} ms') },
  'memory of the index': { mb: atMost(45, '{} MB') },
  'memory of users and index': { mb: atMost(140, '{} MB') },
  'list of many': listOfMany,
  'hold-up with many': holdUp,
  'memory at rest with many': { mb: atMost(400, '{} MB') },
  'memory at most with many': { mb: atMost(500, '{} MB') },
  'results of many': answersOfMany,

  'webhooks over SQLite': { ratio: compared(atLeast(0.8, '{} of its webhooks')) },
  'webhooks over Redis': { ratio: compared(atLeast(1, '{} of its webhooks')) },
  'two instances': { ratio: compared(atLeast(1.7, '{} of its webhooks, where cores allow')) },
  submission: {
    cpuMs: atMost(2.5, '{} ms of CPU'),
    writtenKb: atMost(20, '{} KB written'),
  },
  'submission to a large campaign': {
    cpuRatio: atMost(1.3, '{} times the CPU'),
    writtenRatio: atMost(1.3, '{} times the bytes'),
  },
  'submission beside many campaigns': {
    cpuRatio: atMost(1.3, '{} times the CPU'),
    writtenRatio: atMost(1.3, '{} times the bytes'),
  },
  'webhook to message': { p50Ms: atMost(5, '{} ms (p50)'), p99Ms: atMost(25, '{} ms (p99)') },
  'burst for one channel': {
    messages: atMost(4, '{} messages'),
    unannounced: exactly(0, '{} unannounced'),
    sentS: atMost(1, '{} s to send them'),
    doneS: atMost(5, '{} s in all'),
  },
  'burst for many channels': { laterS: atMost(2, '{} s longer'), unannounced: exactly(0, '{} unannounced') },

  acknowledgement: { ratio: compared(atMost(1.2, '{} times (p99)')) },
  answer: { ratio: compared(atMost(2, '{} times (p50)')) },
  'idle tenants': {
    startS: atMost(20, '{} s'),
    mbEach: atMost(4, '{} MB each'),
    cpuPercent: atMost(2, '{} % of a core'),
  },
  'commands beside another tenant': { ratio: atMost(1.3, '{} times (p99)') },

  // Slack takes 300 direct messages a minute.
  'first messages': { perMinute: atLeast(285, '{} a minute'), refused: exactly(0, '{} times 429') },
  'first messages to strangers': { refused: exactly(0, '{} times 429') },
  board: {
    p95S: atMost(3, '{} s (p95)'),
    lastS: atMost(3, '{} s after the last'),
    changes: atMost(30, '{} changes a minute'),
    messages: atMost(2, '{} messages'),
  },
  'commands beside a campaign': { ratio: atMost(1.2, '{} times (p99)') },
  'requests of a campaign': {
    unassigned: exactly(0, '{} unassigned'),
    excessPercent: compared(atMost(2, '{} % more requests')),
    gapMinutes: atLeast(15, '{} minutes between lists of users'),
  },
  'one quiet campaign': {
    requests: atMost(30, '{} to the service'),
    calls: atMost(2, '{} a minute to Slack'),
  },
  'fifty quiet campaigns': {
    requests: atMost(300, '{} to the service'),
    calls: atMost(2, '{} a minute to Slack'),
  },
  matrix: { p50Ms: atMost(300, '{} ms (p50)'), requests: exactly(0, '{} requests') },
  'questions of many': {
    firstMs: atMost(300, '{} ms'),
    knownMs: atMost(300, '{} ms with all known (p50)'),
    mebibytes: atMost(64, '{} MiB more memory'),
    again: exactly(0, '{} attempts read again'),
  },
  pack: { seconds: atMost(60, '{} s'), mebibytes: atMost(64, '{} MiB more memory') },
  'changed packs': { missed: exactly(0, '{} unnoticed') },
  'kept a year': { bytes: compared(atMost(1_000, '{} bytes a year')) },
  'kept at most': { ratio: compared(atMost(1.05, '{} times as much after 10 years as after 4')) },

  'tool beside its command': { moreMs: atMost(50, '{} ms more (p99)') },
  killed: nothingLost,
  'minutes of load': {
    p99Ms: atMost(100, '{} ms (p99)'),
    errors: exactly(0, '{} errors'),
    wrong: exactly(0, '{} wrong'),
    missing: exactly(0, '{} missing'),
    growthPercent: atMost(5, '{} % more memory'),
  },
} as const satisfies Record<string, Readonly<Record<string, Limit>>>;

export type GoalName = keyof typeof goals;
