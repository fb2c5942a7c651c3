import { expect, test, vi } from 'vitest';
import { countOf, say, named } from '../../../src/domain/said.ts';
import { createAudit } from '../../../src/governance/audit/record.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { dateInWords } from '../../../src/time/date-words.ts';
import { auditEntry } from '../../support/builders/governance.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const entry = auditEntry({ targets: [{ kind: 'user', id: 'u-rosa', name: 'Rosa Almeida' }], request: 'request-1' });
const parsed = (lines: string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('what is put on the record stands in the log with its hash and without names', async () => {
  const storage = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  const { log, lines } = recordingLog();
  const onRecorded = vi.fn<() => void>();
  await createAudit({ trail: storage.audit, log, onRecorded })('T1', entry);
  const [kept] = await storage.audit.latest('T1', 1);
  const { operation, by, through, action: outcome, correlationId, request } = entry;
  expect(parsed(lines)).toEqual([
    expect.objectContaining({
      level: 'info',
      msg: 'audit',
      team: 'T1',
      operation,
      by,
      through,
      outcome,
      correlationId,
      request,
      targets: ['user:u-rosa'],
      position: 1,
      hash: kept?.hash,
    }),
  ]);
  expect(lines.join('')).not.toContain('Rosa');
  expect(onRecorded).toHaveBeenCalledOnce();
  await storage.close();
});

test('of what something was done to, no facts are kept: they tell how people can be reached', async () => {
  const storage = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  const { log, lines } = recordingLog();
  const target = { kind: 'user', id: 'u-rosa', name: 'Rosa Almeida', facts: { 'E-mail address': 'rosa@quiz.example' } };
  await createAudit({ trail: storage.audit, log, onRecorded: () => {} })('T1', { ...entry, targets: [target] });
  const [kept] = await storage.audit.latest('T1', 1);
  expect(kept!.entry.targets).toEqual(entry.targets);
  expect(kept!.text + lines.join('')).not.toContain('rosa@');
  await storage.close();
});

test('what names no target is recorded too', async () => {
  const append = vi.fn(async () => ({ position: 1, hash: 'ab' }));
  const { log, lines } = recordingLog();
  await createAudit({ trail: { append } as never, log, onRecorded: () => {} })('T1', { ...entry, targets: undefined });
  expect(append).toHaveBeenCalledOnce();
  expect(parsed(lines)).toMatchObject([{ level: 'info', position: 1 }]);
});

test('a record that cannot be kept stands in the log, is not announced, and does not look like a failed operation', async () => {
  const { log, lines } = recordingLog();
  const onRecorded = vi.fn<() => void>();
  const trail = { append: async () => Promise.reject(new Error('the disk is full')) };
  await expect(createAudit({ trail: trail as never, log, onRecorded })('T1', entry)).resolves.toBeUndefined();
  const { operation, by, through, action: outcome, correlationId, request } = entry;
  expect(parsed(lines)).toEqual([
    expect.objectContaining({
      level: 'error',
      msg: 'audit entry not kept',
      team: 'T1',
      operation,
      by,
      through,
      outcome,
      correlationId,
      request,
      targets: ['user:u-rosa'],
    }),
  ]);
  expect(lines.join('')).toContain('the disk is full');
  expect(onRecorded).not.toHaveBeenCalled();
});

test('the record and the log are in English, without the marks of sentences', async () => {
  const storage = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  const { log, lines } = recordingLog();
  const closed = say`Closed ${named('Fire safety')} with ${countOf(1_200, 'response', 'responses')} of ${named('rosa@quiz.example')}.`;
  await createAudit({ trail: storage.audit, log, onRecorded: () => {} })('T1', {
    ...entry,
    message: closed,
    change: closed,
    details: [{ label: say`Quiz`, value: dateInWords(0, 'day', 'UTC') }],
    notMade: [closed],
    targets: [{ kind: 'quiz', id: 'q-1', name: closed }],
  });
  const [kept] = await storage.audit.latest('T1', 1);
  expect((kept!.text + lines.join('')).search(/[\uFDD0-\uFDEF]|[\u{E0100}-\u{E01EF}]/u)).toBe(-1);
  expect(kept!.entry.message).toBe('Closed “Fire safety” with 1,200 responses of “r…@quiz.example”.');
  expect(kept!.entry.details).toEqual([{ label: 'Quiz', value: '1 Jan 1970' }]);
  await storage.close();
});
