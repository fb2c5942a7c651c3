import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import { erasingQueue, type ErasingEvent, type PersonToErase } from '../../../src/domain/queues.ts';
import { erasingMachine, type ErasingState } from '../../../src/features/erasing/erasing.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';

const queue = erasingQueue('T1', '17');
const rosa: PersonToErase = { userId: '17', addresses: ['rosa@quiz.example'] };
const minuteMs = 60_000;

function setUp({ found = [5, 0], isGone = true }: { found?: number[]; isGone?: boolean } = {}) {
  const clock = { now: 1_000_000 };
  const outbox = createMemoryOutbox(() => clock.now);
  const done: string[] = [];
  const recorded: AuditEntry[] = [];
  const account = { isGone };
  let failures = 0;
  const machine = erasingMachine({
    isGone: async () => account.isGone,
    async erase(_, { addresses }) {
      if (failures > 0) throw new Error(`the store is away ${(failures -= 1)}`);
      done.push(`erase ${addresses.join(' ')}`);
      return found.shift() ?? 0;
    },
    async compact() {
      done.push('compact');
      return true;
    },
    record: async (_, entry) => void recorded.push(entry),
    newId: () => 'a1',
  });
  const run = runMachine(machine, { outbox, now: () => clock.now });
  const put = (event: ErasingEvent) =>
    outbox.put([{ queue, subscriptionId: 'erasing', at: clock.now, content: { kind: 'erasing-event', event } }]);
  return {
    clock,
    done,
    recorded,
    account,
    put,
    failNext: () => (failures = 1),
    state: async () => (await outbox.stateOf<ErasingState>(queue)).state,
    /** Runs at the times it asks for, until a moment. */
    async runUntil(until: number) {
      for (let runs = 0; runs < 100; runs += 1) {
        const next = await run(queue).catch(() => clock.now + minuteMs);
        if (next === undefined || next > until) return;
        clock.now = Math.max(clock.now, next);
      }
    },
  };
}

describe('a person who is erased', () => {
  test('is erased once their user is deleted, until a pass finds nothing, and is in no state then', async () => {
    const { put, runUntil, done, recorded, state, clock } = setUp();
    await put({ kind: 'begin', person: rosa, by: 'UTOM' });
    await put({ kind: 'go on' });
    await runUntil(clock.now + 60 * minuteMs);
    expect(done).toEqual(['erase rosa@quiz.example', 'erase rosa@quiz.example', 'compact']);
    expect(await state()).toMatchObject({ phase: 'over', userId: '17' });
    expect(JSON.stringify(await state())).not.toMatch(/Rosa|rosa/);
    expect(recorded).toMatchObject([
      { operation: 'erase-person', change: 'finish erasing a person from 5 texts', targets: [{ id: '17' }] },
    ]);
  });

  test('waits for the deletion, which may have been made without an answer, and for an hour at most', async () => {
    const waiting = setUp({ isGone: false });
    await waiting.put({ kind: 'begin', person: rosa, by: 'UTOM' });
    await waiting.runUntil(waiting.clock.now + 30 * minuteMs);
    expect(waiting.done).toEqual([]);
    waiting.account.isGone = true;
    await waiting.runUntil(waiting.clock.now + 60 * minuteMs);
    expect(waiting.done).toContain('compact');
    const forgotten = setUp({ isGone: false });
    await forgotten.put({ kind: 'begin', person: rosa, by: 'UTOM' });
    await forgotten.runUntil(forgotten.clock.now + 120 * minuteMs);
    expect(await forgotten.state()).toMatchObject({ phase: 'over' });
    expect(forgotten.done).toEqual([]);
  });

  test('who is still in the account is not erased, whatever was said', async () => {
    const { put, runUntil, done, clock, account } = setUp({ isGone: false });
    await put({ kind: 'begin', person: rosa, by: 'UTOM' });
    await runUntil(clock.now + minuteMs);
    await put({ kind: 'go on' });
    await runUntil(clock.now + minuteMs);
    expect(done).toEqual([]);
    account.isGone = true;
    await put({ kind: 'go on' });
    await runUntil(clock.now + minuteMs);
    expect(done).toEqual(['erase rosa@quiz.example']);
  });

  test('is erased all the same where the store is away in between', async () => {
    const { put, runUntil, done, failNext, clock } = setUp({ found: [5, 2, 0] });
    failNext();
    await put({ kind: 'begin', person: rosa, by: 'UTOM' });
    await put({ kind: 'go on' });
    await runUntil(clock.now + 120 * minuteMs);
    expect(done).toEqual([...Array.from({ length: 3 }, () => 'erase rosa@quiz.example'), 'compact']);
  });
});
