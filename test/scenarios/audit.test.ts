import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { leadsChannelId } from '../support/approvals.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { ada, erin, rosa } = people;

const auditPosts = ({ workspace }: TestBed): string[] => workspace.messages(leadsChannelId).map(textOf);

test('the audit channel gets changes and refusals, but not reads', async () => {
  const testBed = await startTestBed({ env: { AUDIT_CHANNEL: leadsChannelId }, clock: fastClock(20) });
  await (await testBed.workspace.as(ada.id).command('/quiz list')).reply();
  await (await testBed.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await (await testBed.workspace.as(rosa.id).command('/quiz close forklift')).reply();
  await testBed.workspace.until(() => auditPosts(testBed).join('').includes('wasn’t allowed'));
  const [closed, refused] = auditPosts(testBed);
  expect(closed).toContain('✅ Erin Castellanos closed *Workplace safety basics*');
  expect(refused).toContain('🚫 Rosa Almeida wasn’t allowed to close a quiz (“Only trainers can work with quizzes');
  expect(auditPosts(testBed).join('')).not.toContain('/quiz list');
});

describe('a cut record', () => {
  /** Cuts entries off the audit trail and sets its head back, as an intruder with access to the file would. */
  function cutTrail(dataDir: string, keep: number): void {
    const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
    database.exec('PRAGMA busy_timeout = 5000');
    database.prepare('DELETE FROM audit WHERE position > ?').run(keep);
    database
      .prepare('UPDATE audit_heads SET position = ?, hash = (SELECT hash FROM audit WHERE position = ?)')
      .run(keep, keep);
    database.close();
  }

  test('an audit trail that was cut at its end is an alarm in the log, the metrics, the audit channel, status and verify', async () => {
    const dataDir = temporaryDirectory();
    const { workspace, url, lines } = await startTestBed({
      env: { AUDIT_CHANNEL: leadsChannelId, DATA_DIR: dataDir },
      clock: fastClock(10),
    });
    const reply = async (line: string) => textOf(await (await workspace.as(ada.id).command(line)).reply());
    const inChannel = () => workspace.messages(leadsChannelId).map(textOf).join('\n');
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    for (const verb of ['close', 'open', 'close'])
      await (await workspace.as(erin.id).command(`/quiz ${verb} workplace`)).reply();
    await expect.poll(() => inChannel().match(/Erin Castellanos closed/g)?.length).toBeGreaterThanOrEqual(2);
    expect(await reply('/quiz-admin audit verify')).toContain('The audit trail is complete: 3 entries');
    expect(await metrics()).toContain('invigilator_audit_trail_whole 1');

    cutTrail(dataDir, 1);
    await expect.poll(() => lines.join('')).toContain('the audit trail lost entries');
    await expect.poll(inChannel).toContain('The audit trail lost entries');
    expect(await metrics()).toContain('invigilator_audit_trail_whole 0');
    expect(await reply('/quiz-admin status')).toContain('The audit trail lost entries');
    expect(await reply('/quiz-admin audit verify')).toMatch(
      /The audit trail is broken at entry \d: recorded entries are missing or were replaced/,
    );

    await (await workspace.as(erin.id).command('/quiz open workplace')).reply();
    // On a clock that runs fast, a post whose answer is slow is made again.
    await expect.poll(() => inChannel().match(/Erin Castellanos opened/g)?.length).toBeGreaterThanOrEqual(2);
  });
});
