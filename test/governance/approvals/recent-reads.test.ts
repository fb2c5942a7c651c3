import { expect, test, vi } from 'vitest';
import { createRecentReads } from '../../../src/governance/approvals/prepare.ts';

function open() {
  const clock = { now: 1_000 };
  const service = { value: 'old' };
  const read = vi.fn(async () => service.value);
  const reads = createRecentReads({ now: () => clock.now });
  return { clock, service, read, ...reads };
}

test('what a person read 10 seconds ago is not read again, and what they read before that is', async () => {
  const { of, read, clock, service } = open();
  await of('U1', 'target', read);
  service.value = 'new';
  clock.now += 10_000;
  expect(await of('U1', 'target', read)).toBe('old');
  clock.now += 1;
  expect(await of('U1', 'target', read)).toBe('new');
  expect(read).toHaveBeenCalledTimes(2);
});

test('using it does not make it last longer', async () => {
  const { of, read, clock } = open();
  for (let second = 0; second <= 11; second += 1) {
    await of('U1', 'target', read);
    clock.now += 1_000;
  }
  expect(read).toHaveBeenCalledTimes(2);
});

test('another person, and another key, are read by themselves', async () => {
  const { of, read } = open();
  await of('U1', 'target', read);
  await of('U2', 'target', read);
  await of('U1', 'rights', read);
  expect(read).toHaveBeenCalledTimes(3);
});

test('steps at the same time share one read', async () => {
  const { of, read } = open();
  expect(await Promise.all([of('U1', 'target', read), of('U1', 'target', read)])).toEqual(['old', 'old']);
  expect(read).toHaveBeenCalledOnce();
});

test('a read that failed is tried again', async () => {
  const { of, read } = open();
  read.mockRejectedValueOnce(new Error('the service is away'));
  await expect(of('U1', 'target', read)).rejects.toThrow('the service is away');
  expect(await of('U1', 'target', read)).toBe('old');
});

test('what a person read is forgotten when it has to be, and what others read is not', async () => {
  const { of, forget, read, service } = open();
  await of('U1', 'target', read);
  await of('U2', 'target', read);
  service.value = 'new';
  forget('U1');
  expect(await of('U1', 'target', read)).toBe('new');
  expect(await of('U2', 'target', read)).toBe('old');
});
