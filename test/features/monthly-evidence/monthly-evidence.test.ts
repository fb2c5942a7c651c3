import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import type { EvidenceOrder } from '../../../src/domain/evidence-order.ts';
import { evidenceQueue, managerQueue } from '../../../src/domain/queue-names.ts';
import {
  monthlyMachine,
  type MonthlyPack,
  type SendAnswer,
} from '../../../src/features/monthly-evidence/monthly-machine.ts';
import { dueAfter, isoMonth, monthAt, periodOf } from '../../../src/features/monthly-evidence/months.ts';
import { monthInWords } from '../../../src/operations/dates/month-words.ts';
import { createSeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';

const at = (time: string) => Date.parse(`${time}Z`);
const october = 2026 * 12 + 9;
const queue = evidenceQueue('T1');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('a month', () => {
  test('begins and ends on the clock of the person, and its pack is due on the first working day after it', () => {
    expect(monthAt(at('2026-10-31T23:30'), 'UTC')).toBe(october);
    expect(monthAt(at('2026-10-31T23:30'), 'Europe/Berlin')).toBe(october + 1);
    expect(periodOf(october, 'Europe/Berlin')).toEqual({
      since: at('2026-09-30T22:00'),
      until: at('2026-10-31T23:00'),
    });
    // 1 November 2026 is a Sunday.
    expect(dueAfter(october, 'UTC', new Set())).toBe(at('2026-11-02T09:00'));
    expect(dueAfter(october, 'UTC', new Set(['2026-11-02']))).toBe(at('2026-11-03T09:00'));
    expect([isoMonth(october), monthInWords(october + 3)]).toEqual(['2026-10', 'January 2027']);
  });
});

const orderOf = (more: Partial<EvidenceOrder> = {}): EvidenceOrder => ({
  id: 'o-1',
  by: 'UADA',
  to: 'UTOM',
  toName: 'Tom',
  campaign: null,
  timeZone: 'UTC',
  orderedAt: at('2026-10-20T10:00'),
  month: october,
  ...more,
});

/** A mailbox whose platform and store fail as `answerOf` and `losesAnswers` say, run as time goes by. */
function open({
  orders,
  packOf = () => ({ kind: 'pack', people: 3, file: { name: '', comment: '', content: Buffer.from('zip') } }),
  answerOf = () => 'sent',
  losesCommit = () => false,
}: {
  orders: readonly EvidenceOrder[];
  packOf?: (order: EvidenceOrder) => MonthlyPack;
  /** `isThere`: whether the file arrived all the same. */
  answerOf?: () => SendAnswer | { lost: boolean };
  losesCommit?: () => boolean;
}) {
  const memory = createMemoryOutbox();
  const outbox: typeof memory = {
    ...memory,
    async commit(...change) {
      const isKept = await memory.commit(...change);
      if (losesCommit()) throw new Error('the bot is killed');
      return isKept;
    },
  };
  let now = at('2026-10-20T10:00');
  const there: string[] = [];
  const recorded: AuditEntry[] = [];
  const machine = monthlyMachine({
    async packOf(_, order) {
      const pack = packOf(order);
      return pack.kind === 'pack'
        ? { ...pack, file: { ...pack.file, name: `${order.id} ${isoMonth(order.month)}` } }
        : pack;
    },
    async send(personId, { name }) {
      const answer = answerOf();
      const isThere = answer === 'sent' || (typeof answer === 'object' && 'lost' in answer && answer.lost);
      if (isThere) there.push(`${new Date(now).toISOString().slice(0, 16)} ${personId} ${name}`);
      if (typeof answer === 'object' && 'lost' in answer) throw new Error('the bot is killed');
      return answer;
    },
    isThere: async ({ to, fileName }) => there.some((line) => line.endsWith(`${to} ${fileName}`)),
    record: async (_, entry) => void recorded.push(entry),
    holidays: new Set(),
  });
  const run = runMachine(machine, { outbox, now: () => now });
  memory.putNow(
    orders.map((order) => ({
      queue,
      subscriptionId: 'evidence',
      at: now,
      content: { kind: 'evidence-event', event: { kind: 'order', order } },
    })),
  );
  return {
    there,
    recorded,
    async until(moment: number) {
      for (let runs = 0; now < moment; runs += 1) {
        if (runs > 10_000) throw new Error('it runs without an end');
        const next = await run(queue).catch(() => now + 1_000);
        now = Math.max(now, Math.min(next ?? moment, moment));
      }
    },
    messagesTo: async (personId: string) =>
      (await memory.waiting(managerQueue('T1', personId), { limit: 100 })).map(({ content }) =>
        content.kind === 'no-evidence' ? `${content.why} ${isoMonth(content.order.month)} ${content.reader}` : '',
      ),
  };
}

describe('packs that come every month', () => {
  test('come on the first working day, once, in the working hours of the person, and are on the record', async () => {
    const bed = open({ orders: [orderOf(), orderOf({ id: 'o-2', to: 'UBEN', timeZone: 'America/New_York' })] });
    await bed.until(at('2027-01-10T00:00'));
    expect(bed.there).toEqual([
      '2026-11-02T09:00 UTOM o-1 2026-10',
      '2026-11-02T14:00 UBEN o-2 2026-10',
      '2026-12-01T09:00 UTOM o-1 2026-11',
      '2026-12-01T14:00 UBEN o-2 2026-11',
      '2027-01-01T09:00 UTOM o-1 2026-12',
      '2027-01-01T14:00 UBEN o-2 2026-12',
    ]);
    expect(bed.recorded.map(({ by, operation, details }) => [by, operation, details?.[0]?.value])).toEqual(
      ['October 2026', 'November 2026', 'December 2026'].flatMap((month) => [
        ['UADA', 'send-evidence', month],
        ['UADA', 'send-evidence', month],
      ]),
    );
  });

  test('come once, whatever is lost or killed in the middle', async () => {
    const random = createSeededRandom(7);
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random.number() * values.length)]!;
    for (let world = 0; world < 200; world += 1) {
      const bed = open({
        orders: [orderOf(), orderOf({ id: 'o-2', to: 'UBEN' })],
        answerOf: () =>
          pick(['sent', 'sent', 'unclear', { retryAfterMs: 30_000 }, { lost: true }, { lost: false }] as const),
        losesCommit: () => random.number() < 0.2,
      });
      await bed.until(at('2027-02-20T00:00'));
      const sent = bed.there.map((line) => line.slice('2026-11-02T09:00 '.length)).toSorted();
      expect(sent).toEqual(
        ['2026-10', '2026-11', '2026-12', '2027-01']
          .flatMap((month) => [`UBEN o-2 ${month}`, `UTOM o-1 ${month}`])
          .toSorted(),
      );
      const months = new Set(
        bed.recorded.map(({ correlationId, details }) => `${correlationId} ${details?.[0]?.value}`),
      );
      expect(months.size).toBe(8);
    }
  });

  test('that may not be seen any more are replaced by a sentence, for both, and asked for again the next month', async () => {
    const bed = open({
      orders: [orderOf()],
      packOf: ({ month }) =>
        month === october
          ? { kind: 'none', why: 'receiver' }
          : { kind: 'pack', people: 1, file: { name: '', comment: '', content: Buffer.from('') } },
    });
    await bed.until(at('2026-12-05T00:00'));
    expect(await bed.messagesTo('UTOM')).toEqual(['receiver 2026-10 UTOM']);
    expect(await bed.messagesTo('UADA')).toEqual(['receiver 2026-10 UADA']);
    expect(bed.there).toEqual(['2026-12-01T09:00 UTOM o-1 2026-11']);
    expect(bed.recorded.map(({ action }) => action)).toEqual(['refused', 'done']);
  });

  test('end with their campaign, and with a stop; who cannot be reached is named to who ordered it', async () => {
    const campaign = { id: 'c-1', quizName: 'Fire safety' };
    const over = open({ orders: [orderOf({ campaign })], packOf: () => ({ kind: 'none', why: 'over' }) });
    await over.until(at('2027-03-05T00:00'));
    expect(await over.messagesTo('UTOM')).toEqual(['over 2026-10 UTOM']);
    const closed = open({ orders: [orderOf()], answerOf: () => 'closed' });
    await closed.until(at('2026-11-05T00:00'));
    expect([await closed.messagesTo('UADA'), await closed.messagesTo('UTOM')]).toEqual([
      ['unreachable 2026-10 UADA'],
      [],
    ]);
  });

  test('wait while nobody says who the people are, and come when the answer is there', async () => {
    let asked = 0;
    const bed = open({
      orders: [orderOf()],
      packOf: () => {
        asked += 1;
        return asked < 4
          ? { kind: 'later', askAgainAt: at('2026-11-02T09:00') + asked * minuteMs }
          : { kind: 'pack', people: 1, file: { name: '', comment: '', content: Buffer.from('') } };
      },
    });
    await bed.until(at('2026-11-02T09:00') + dayMs);
    expect(bed.there).toEqual(['2026-11-02T09:03 UTOM o-1 2026-10']);
  });
});
