import type { PersonToErase } from '../../src/domain/queues.ts';
import type { AnyMachine } from '../../src/durable/machine.ts';
import fc from 'fast-check';
import { describe, expect, test, onTestFinished } from 'vitest';
import { describeStored } from '../../src/assembly/personal-data.ts';
import {
  addressId,
  createEraser,
  each,
  text as ofText,
  type AnyDescription,
  type StoredText,
} from '../../src/domain/erasure.ts';
import { markedPerson, namedPerson } from '../../src/domain/said.ts';
import { createErasing } from '../../src/features/erasing/erasing.ts';
import { approvalRequest } from '../support/builders/governance.ts';
import { redisMissing, connectRedis, startRedis } from '../support/redis.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRedisStorage } from '../../src/storage/redis/redis-storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../src/storage/records.ts';
import { read } from '../support/project-files.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { runs } from '../support/drawn.ts';

/** A text in a store, and where it is. */
interface Stored {
  place: StoredText;
  text: string;
}

/**
 * What 1.7 had stored in the middle of its life (`life-of-17.ts`), as this version has it.
 *
 * @param change of the SQL or the commands of Redis before
 */
const storesOf17: Readonly<
  Record<
    'SQLite' | 'Redis',
    (change?: (text: string) => string) => Promise<{ storage: Storage; bytes(): Promise<string> }>
  >
> = {
  async SQLite(change = (text) => text) {
    const folder = temporaryDirectory();
    const database = new DatabaseSync(join(folder, 'invigilator.sqlite'));
    database.exec(`PRAGMA page_size = 2048; BEGIN; ${change(read('test/fixtures/store-1.7.sql'))}; COMMIT`);
    database.close();
    const storage = openSqliteStorage(folder, { now });
    onTestFinished(() => storage.close().catch(() => {}));
    await storage.open();
    return {
      storage,
      bytes: async () =>
        readdirSync(folder)
          .map((name) => readFileSync(join(folder, name), 'latin1'))
          .join(),
    };
  },
  async Redis(change = (text) => text) {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    for (const line of change(read('test/fixtures/store-1.7.redis')).split('\n'))
      if (line !== '') await client.sendCommand(JSON.parse(line) as string[]);
    const contentFile = join(temporaryDirectory(), 'known-store.json');
    const storage = createRedisStorage({ url: redis.url, now, onError: () => {}, contentFile });
    onTestFinished(() => storage.close().catch(() => {}));
    await storage.open();
    const dumped = async (key: string): Promise<string> => {
      switch (await client.type(key)) {
        case 'string':
          return String(await client.get(key));
        case 'hash':
          return JSON.stringify(await client.hGetAll(key));
        case 'list':
          return JSON.stringify(await client.lRange(key, 0, -1));
        case 'set':
          return JSON.stringify(await client.sMembers(key));
        default:
          return JSON.stringify(await client.zRange(key, 0, -1));
      }
    };
    return {
      storage,
      async bytes() {
        const keys = await client.keys('*');
        return (await Promise.all(keys.map(async (key) => `${key} ${await dumped(key)}`))).join('\n');
      },
    };
  },
};

const now = () => Date.UTC(2030, 0, 11, 15, 40);

/** Every text that erasing looks at. */
async function textsIn({ cleansing }: Pick<Storage, 'cleansing'>): Promise<Stored[]> {
  const texts: Stored[] = [];
  await cleansing.rewrite((place, text) => {
    texts.push({ place, text });
    return text;
  });
  return texts;
}

/** Keys of the record, and who is being erased: both are dealt with as such. */
const namesNobody = /^(?:key|erasing)\//;

/** Words of the program: the types of what is stored allow no other text where they stand, so nothing has to describe them. */
const ownWords = new Set(
  'change none campaign batch submission hint passed failed marking campaign-event batch-event inbox-event start refresh running paused yearly all each digest thread day hour open announced quiz user group submitted requested departure-event workflow-event audience-changed unreached finished over denied done same wait waiting has listed'.split(
    ' ',
  ),
);

/** Fields that hold IDs, or something else that is nobody’s, likewise. */
const ofNobody = /^(?:id|by|leads|quiz|ts|timeZone|operation|quizName|holidays|code)$|(?:Id|Ids|By)$/;

/** The places with a text in a stored text that nothing describes, such as `state campaign: members[].name`. */
function undescribed({ place, text }: Stored): string[] {
  // The identity of the store stands beside the keyed values.
  if ((place.in === 'state' && namesNobody.test(place.key)) || place.key === 'store') return [];
  const value = JSON.parse(text) as unknown;
  const holder = Object(value) as Record<string, unknown>;
  const content = 'content' in holder ? holder['content'] : 'value' in holder ? holder['value'] : value;
  const description = describeStored(place, content);
  const [kind] = place.key.split(/[:/]/);
  return description === 'dropped' ? [] : pathsIn(content, description, `${place.in} ${kind}: `);
}

function pathsIn(value: unknown, description: AnyDescription | undefined, path: string): string[] {
  if (typeof value === 'string')
    return typeof description === 'string' ||
      (description !== undefined && ofText in description) ||
      ownWords.has(value)
      ? []
      : [`${path} = ${value}`];
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, description, `${path}[]`));
  if (typeof value !== 'object' || value === null || description === 'free') return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const of = typeof description === 'string' ? description : (description?.[key] ?? description?.[each as never]);
    return of === undefined && ofNobody.test(key)
      ? []
      : pathsIn(part, of as AnyDescription | undefined, `${path}.${key}`);
  });
}

const teamId = 'T0SANDBOX';
const rosa = { userId: 'u-rosa', name: 'Rosa Almeida' };
const kim = { userId: 'u-kim', name: 'Kim Doe' };
const ids = ['u-rosa', 'U0000ROSA', addressId('rosa@quiz.example')!];
const target = ({ userId, name }: typeof rosa) => ({ kind: 'user' as const, id: userId, name, facts: { Name: name } });
const preview = (people: readonly (typeof rosa)[]) => ({
  action: `suspend ${people.map(namedPerson).join(' and ')}`,
  effect: `${people.map(namedPerson).join(' and ')} could not sign in`,
  details: [{ label: 'User', value: people.map(({ userId, name }) => markedPerson(userId, name)).join(', ') }],
  targets: people.map(target),
});
const value = (key: string, content: unknown): Stored => ({
  place: { in: 'value', key },
  text: JSON.stringify({ value: content, expires: 1 }),
});
const request = (about: readonly (typeof rosa)[], more: object = {}): Stored => ({
  place: { in: 'state', key: `request/${teamId}/1` },
  text: JSON.stringify(approvalRequest({ asked: preview(about), reason: 'Left', ...more })),
});
const person = { ...rosa, groups: ['Kitchen'], personId: 'U0000ROSA', timeZone: 'Europe/Berlin' };
const create = { user_name: ['rosa@quiz.example'], first_name: ['Rosa'], last_name: ['Almeida'] };

/** What this version stores beside what 1.7 had in its life, of each kind that tells of people. */
const ofToday: readonly Stored[] = [
  request([rosa], {
    reason: `${rosa.name} left`,
    decision: { verdict: 'denied', by: 'U0000ADA', comment: rosa.name, at: 1 },
  }),
  request([rosa, kim]),
  request([], {
    operation: 'create-user',
    input: create,
    id: 'made',
    outcome: { kind: 'done', message: rosa.name, at: 1, createdId: 'u-rosa' },
  }),
  request([], {
    operation: 'create-user',
    input: create,
    asked: {
      ...preview([]),
      action: `create ${namedPerson({ userId: addressId('rosa@quiz.example')!, name: rosa.name })}`,
    },
  }),
  // Denied, and masked as history.
  request([], {
    operation: 'create-user',
    input: { ...create, user_name: ['r…@quiz.example'] },
    addressIds: [addressId('rosa@quiz.example')],
  }),
  value(`shown-requests:${teamId}:9:U0000ADA`, { preview: preview([rosa]), failures: 0, reason: rosa.name }),
  value(`shown-requests:${teamId}:made:U0000ADA`, { preview: { ...preview([]), effect: rosa.name }, failures: 0 }),
  value(`shown-requests:${teamId}:8:U0000ADA`, { preview: preview([kim]), failures: 0, reason: 'Left' }),
  value(`plans:${teamId}:campaign`, {
    id: 'campaign',
    teamId,
    personId: 'U0000ADA',
    content: {
      kind: 'campaign',
      quiz: { id: 'q-1', name: 'Night Shift' },
      members: [person, { ...person, ...kim, personId: 'U0000KIM' }],
      assign: {
        groups: [{ id: 'g-1', name: 'Kitchen' }],
        users: [rosa, kim].map(({ userId: id, name }) => ({ id, name })),
      },
      leftOut: {
        passed: [rosa, kim].map(({ userId, name }) => markedPerson(userId, name)),
        suspended: [],
        guests: [],
        excepted: [],
        withoutUser: [{ personId: 'U0000ROSA', name: rosa.name }],
      },
      lateNames: [markedPerson(rosa.userId, rosa.name)],
    },
  }),
  value(`plans:${teamId}:import`, {
    id: 'import',
    teamId,
    personId: 'U0000ADA',
    content: {
      kind: 'batch',
      operation: 'import-users',
      action: 'import 3 people from people.csv',
      rows: [
        { kind: 'none', outcome: { kind: 'same', userId: 'u-rosa', error: rosa.name }, name: rosa.name },
        {
          kind: 'change',
          name: kim.name,
          words: 'is created',
          changes: [{ operation: 'create-user', input: { user_name: ['kim@quiz.example'] } }],
        },
        {
          kind: 'change',
          name: rosa.name,
          words: 'is created',
          changes: [{ operation: 'create-user', input: create }],
        },
      ],
      privileged: [markedPerson(addressId('rosa@quiz.example')!, rosa.name)],
      source: {
        header: ['Name', 'E-mail'],
        cells: [
          ['Almeida, Rosa', 'rosa@quiz.example'],
          ['Doe, Kim', 'kim@quiz.example'],
          ['ALMEIDA ROSA', 'Rosa@quiz.example'],
        ],
      },
      imported: {
        source: 'people.csv',
        hasLines: true,
        counts: {},
        problems: [{ line: 2, of: 'u-rosa', person: rosa.name, note: `${rosa.name} is there` }],
        privileged: [],
        notices: [],
        names: [{ of: addressId('rosa@quiz.example'), written: 'Almeida, Rosa', first: 'Rosa', last: 'Almeida' }],
      },
    },
  }),
  {
    place: { in: 'entry', key: `channel/${teamId}/C1` },
    text: JSON.stringify({
      kind: 'submission',
      submission: { quizId: 'q-1', quizName: 'Kitchen', responseId: 'r-1', ...rosa, grade: 'A' },
    }),
  },
  {
    place: { in: 'entry', key: `channel/${teamId}/C1` },
    text: JSON.stringify({
      kind: 'digest',
      digest: {
        from: 1,
        to: 2,
        quizzes: [
          {
            quizId: 'q-1',
            quizName: 'Kitchen',
            failedNames: [rosa, kim].map(({ userId, name }) => markedPerson(userId, name)),
          },
        ],
      },
    }),
  },
  value('set-aside:latest', [{ quizId: 'q-1', responseId: 'r-1', quizName: 'Kitchen', ...rosa, since: 1 }]),
  value(`slack-people:${teamId}:U0000ROSA`, { emailAddress: 'rosa@quiz.example', name: rosa.name }),
  value(`person-languages:${teamId}:U0000ROSA`, 'pl'),
  value(`person-languages:${teamId}:U0000KIM`, 'pl'),
  value('unreadable:approvals/1', { request: `{"reason":"${rosa.name}` }),
];

/** Of texts that change nowhere but here. */
function erasingOf(texts: readonly Stored[], isGone: (userId: string) => boolean) {
  let left: Stored[] = [...texts];
  const { machine } = createErasing({
    trail: { erase: async () => 0 },
    cleansing: {
      async rewrite(rewrite) {
        const before = left;
        left = left.flatMap(({ place, text }) => {
          const rewritten = rewrite(place, text);
          return rewritten === undefined ? [] : [{ place, text: rewritten }];
        });
        return before.length - left.length;
      },
      compact: async () => true,
    },
    mail: { put: async () => {} } as never,
    describe: describeStored,
    isGone: async (userId) => isGone(userId),
    record: async () => {},
    newId: () => 'id',
    now: Date.now,
  });
  return async (userId: string) => {
    await passOver(machine, { userId, addresses: [] });
    return left.map(({ place }) => place.key);
  };
}

/** Has a machine go once over the store. @returns how much it found */
async function passOver(machine: AnyMachine, whom: PersonToErase): Promise<number> {
  const state = { phase: 'erasing', person: whom, passes: 0, replaced: 0 };
  const step = await machine.step({ mailbox: { kind: 'erasing', teamId, id: '' }, state, mail: [], now: 0 } as never);
  return (step as { state: { replaced: number } }).state.replaced;
}

/** What people, groups, quizzes and the program’s own words are called. */
const namesLikeOthers = fc.constantFrom(
  'Night Shift',
  'Kitchen',
  'On Leave',
  'Not Graded',
  'Fire Safety',
  'outcome',
  'null',
  'erased',
  'done',
  'Europe',
  'Europe/Berlin',
  'userId',
  'value',
  'content',
  'kind',
  'Kim Doe',
  'suspend',
  'an erased person',
  'u-kim',
  'false',
  '1',
  ' ',
);
const names = fc.oneof(namesLikeOthers, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }));
const called = (text: string, name: string) => text.replaceAll('Rosa Almeida', JSON.stringify(name).slice(1, -1));

function erased(texts: readonly Stored[]): (string | undefined)[] {
  const eraser = createEraser(ids, describeStored);
  for (const one of texts) eraser.learn(one.place, one.text);
  return texts.map(({ place, text }) => eraser.erase(place, text));
}

describe('what is stored of people', () => {
  test('is described: each text of all that a bot had stored, and of all that one stores today', async () => {
    const { storage } = await storesOf17.SQLite();
    const texts = [...(await textsIn(storage)), ...ofToday];
    expect(texts.length).toBeGreaterThan(120);
    expect([...new Set(texts.flatMap(undescribed))]).toEqual([]);
  });

  test('goes with a person who is erased, whatever they are called, and nothing else does', async () => {
    const { storage } = await storesOf17.SQLite();
    const texts = [...(await textsIn(storage)), ...ofToday].filter(({ place }) => !place.key.startsWith('key/'));
    const without = erased(texts);
    expect(
      without.filter((text) => /Rosa|Almeida|rosa@/i.test(text?.replaceAll(/u-rosa|U0000ROSA/g, '') ?? '')),
    ).toEqual([]);
    const keysLeft = texts.flatMap(({ place: { key } }, index) => (without[index] === undefined ? [] : [key]));
    expect(keysLeft).not.toContain(`person-languages:${teamId}:U0000ROSA`);
    expect(keysLeft).toContain(`person-languages:${teamId}:U0000KIM`);
    const ofOthers = texts.flatMap(({ place, text }, index) =>
      /rosa|almeida/i.test(place.key + text) ? [] : [[without[index], text]],
    );
    for (const [after, before] of ofOthers) expect(after).toBe(before);
    fc.assert(
      fc.property(names, (name) => {
        expect(erased(texts.map(({ place, text }) => ({ place, text: called(text, name) })))).toEqual(without);
      }),
      { numRuns: runs(60) },
    );
  });

  test.each([
    ['stays, where that user is in the account', false],
    ['goes, where the account has no such user any more', true],
  ])('with a Slack ID that a campaign gives to another user, too, %s', async (_, isGone) => {
    const memberOf = (userId: string, personId: string): Stored => ({
      place: { in: 'part', key: `campaign/${teamId}/c-1` },
      text: JSON.stringify({ ...rosa, userId, personId }),
    });
    const language = `person-languages:${teamId}:U0000ROSA`;
    const erase = erasingOf(
      [memberOf('u-rosa', 'U0000ROSA'), memberOf('u-new', 'U0000ROSA'), value(language, 'pl')],
      (userId) => userId !== 'u-new' || isGone,
    );
    expect((await erase('u-rosa')).includes(language)).toBe(!isGone);
  });

  test.each((['SQLite', 'Redis'] as const).filter((store) => store === 'SQLite' || redisMissing === null))(
    'is in no file of %s any more, whatever the person is called, and everything about others is as it was',
    async (store) => {
      const left = [];
      for (const name of ['Rosa Almeida', 'Night Shift', 'outcome', 'null', 'Kitchen']) {
        const { storage, bytes } = await storesOf17[store]((text) =>
          text.replaceAll('Rosa Almeida', name).replaceAll('"Rosa"', '"Rosamund"'),
        );
        const kept = async () =>
          (await textsIn(storage))
            .filter(({ place }) => !place.key.startsWith('key/') && place.key !== 'store')
            .toSorted((one, other) =>
              JSON.stringify(one.place) + one.text < JSON.stringify(other.place) + other.text ? -1 : 1,
            );
        const before = await kept();
        const { machine } = createErasing({
          trail: storage.audit,
          cleansing: storage.cleansing,
          mail: { put: async () => {} } as never,
          describe: describeStored,
          isGone: async () => true,
          record: async () => {},
          newId: () => 'id',
          now: Date.now,
        });
        const toErase = { userId: 'u-rosa', personId: 'U0000ROSA', addresses: ['rosa@quiz.example'] };
        const pass = async () => passOver(machine, toErase);
        expect(await pass()).toBeGreaterThan(0);
        expect(await pass()).toBe(0);
        await storage.cleansing.compact();
        const after = await kept();
        for (const { place, text } of before.filter((one) => !/rosa/i.test(one.text + one.place.key)))
          expect(after).toContainEqual({ place, text });
        left.push(after);
        expect(await bytes()).not.toMatch(/Rosa Almeida|rosa@quiz/);
      }
      for (const other of left) expect(other).toEqual(left[0]);
    },
    60_000,
  );
});
