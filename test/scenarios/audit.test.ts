import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId, startApprovalsTestBed } from '../support/approvals.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { ada, erin, rosa, uma } = people;
const auditChannelId = channels.training.id;

function auditPosts({ workspace }: TestBed, channelId: string = leadsChannelId): string[] {
  return workspace.messages(channelId).map(textOf);
}

const startAudited = () => startTestBed({ env: { AUDIT_CHANNEL: leadsChannelId }, clock: fastClock(20) });

test('the audit channel gets changes and refusals, but not reads', async () => {
  const testBed = await startAudited();
  await (await testBed.workspace.as(ada.id).command('/quiz list')).reply();
  await (await testBed.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await (await testBed.workspace.as(rosa.id).command('/quiz close forklift')).reply();
  await testBed.workspace.until(() => auditPosts(testBed).join('').includes('wasn’t allowed'));
  const [closed, refused] = auditPosts(testBed);
  expect(closed).toContain('✅ Erin Castellanos closed *Workplace safety basics*');
  expect(refused).toContain('🚫 Rosa Almeida wasn’t allowed to close a quiz (“Only trainers can work with quizzes');
  expect(auditPosts(testBed).join('')).not.toContain('/quiz list');
});

test('it mentions nobody and shows no ids', async () => {
  const testBed = await startAudited();
  await (await testBed.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await (
    await testBed.workspace.as(erin.id).command('/quiz-alerts subscribe workplace', { channel: channels.training.id })
  ).reply();
  await testBed.workspace.until(() => auditPosts(testBed).join('').includes('#training'));
  expect(
    auditPosts(testBed)
      .join('')
      .match(/<[@#!][^d][^>]*>|[UCT]0[A-Z0-9]{4,}/g),
  ).toBeNull();
});

test('the refusals of a person are summed up in one post', async () => {
  const testBed = await startAudited();
  const asRosa = testBed.workspace.as(rosa.id);
  for (let times = 0; times < 3; times += 1) await (await asRosa.command('/quiz close forklift')).reply();
  await (await asRosa.command('/quiz open forklift')).reply();
  await testBed.workspace.until(() => auditPosts(testBed).join('').includes('was refused 4 times'));
  expect(auditPosts(testBed)).toHaveLength(1);
  expect(auditPosts(testBed)[0]).toMatch(/Rosa Almeida was refused 4 times since .*: close quiz \(3\), open quiz/);
});

test('a request for approval has one post, from the request to its run', async () => {
  const testBed = await startApprovalsTestBed({ env: { AUDIT_CHANNEL: auditChannelId }, clock: fastClock(20) });
  const { ask, approve } = approvalActions(testBed);
  const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
  const [asked] = await testBed.workspace.until(() =>
    auditPosts(testBed, auditChannelId).length > 0 ? auditPosts(testBed, auditChannelId) : undefined,
  );
  expect(asked).toContain('🙋 Uma Devi asked to suspend *Rosa Almeida*');
  await approve(ada.id, request, 'Fine');
  await testBed.workspace.until(() => auditPosts(testBed, auditChannelId).join('').includes('It was carried out'));
  expect(auditPosts(testBed, auditChannelId)).toHaveLength(1);
  expect(auditPosts(testBed, auditChannelId)[0]).toMatch(
    /✅ Uma Devi asked to suspend \*Rosa Almeida\*.*Ada Okafor approved it: “Fine”.*It was carried out/,
  );
});

test('entries that the audit channel rejects are posted in one message when it accepts messages again', async () => {
  const testBed = await startAudited();
  const removeFault = testBed.workspace.faults.inject(
    { kind: 'api-error', error: 'is_archived' },
    { method: 'chat.postMessage', when: ({ channel }) => channel === leadsChannelId },
  );
  await (await testBed.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await testBed.workspace.until(() =>
    testBed.workspace.calls.some(({ method, error }) => method === 'chat.postMessage' && error !== undefined),
  );
  await (await testBed.workspace.as(erin.id).command('/quiz open workplace')).reply();
  removeFault();
  await testBed.workspace.until(() => auditPosts(testBed).join('').includes('opened'));
  expect(auditPosts(testBed)).toHaveLength(1);
  expect(auditPosts(testBed)[0]).toContain('closed');
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
