import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startApprovalsTestBed } from '../support/approvals.ts';
import { pressAll } from '../support/forged-buttons.ts';
import { inTheAccount, lineOf, manyChanges } from '../support/many-changes.ts';
import { commandReply, locationOf } from '../support/results.ts';
import { textOf, type TestBed } from '../support/test-bed.ts';

const { ada, tom, uma, gus, erin } = people;

const gone = /This preview is too old, or it was started already\.|This was started already\./;
const kitchenMembers = ({ quizService }: TestBed) =>
  quizService.database.all<{ user_id: string }>(
    "SELECT user_id FROM user_groups JOIN groups USING (group_id) WHERE group_name = 'Kitchen'",
    [],
  ).length;
const idIn = (message: unknown, field: 'plan' | 'batch') =>
  new RegExp(String.raw`\\+"${field}\\+":\[\\+"([^"\\]+)`).exec(JSON.stringify(message))?.[1] ?? '';

async function previewOf(
  testBed: TestBed,
): Promise<{ preview: Awaited<ReturnType<typeof commandReply>>; plan: string }> {
  const preview = await commandReply(testBed, gus.id, '/quiz-group empty kitchen');
  const plan = idIn(preview, 'plan');
  expect(plan).not.toBe('');
  return { preview, plan };
}

test('a preview is started, and seen as a whole, by nobody but its maker and those who decide', async () => {
  const testBed = await startApprovalsTestBed();
  const { plan } = await previewOf(testBed);
  const before = kitchenMembers(testBed);
  const of = { plan: [plan] };
  const [run, byAdministrator, show, campaign, campaignPreview] = await pressAll(testBed, [
    [uma.id, 'run-batch', of],
    [ada.id, 'run-batch', of],
    [uma.id, 'show-rows', of],
    [gus.id, 'run-campaign', of],
    [ada.id, 'show-plan', of],
  ]);
  for (const answer of [run, byAdministrator, show, campaignPreview]) expect(answer).toMatch(gone);
  expect(campaign).not.toContain('Started');
  expect(kitchenMembers(testBed)).toBe(before);
});

test('a campaign that waits for approval is started by nobody but its maker, also not by those who decide', async () => {
  const testBed = await startApprovalsTestBed();
  const preview = await commandReply(testBed, erin.id, '/quiz-campaign start workplace for kitchen');
  expect(textOf(preview)).toContain('Request approval');
  const plan = idIn(preview, 'plan');
  const [started] = await pressAll(testBed, [[tom.id, 'run-campaign', { plan: [plan] }]]);
  expect(started).toMatch(gone);
});

test('a preview is started once, and a made-up one never', async () => {
  const testBed = await startApprovalsTestBed();
  const { preview, plan } = await previewOf(testBed);
  await testBed.workspace.as(gus.id).click(locationOf(preview), 'choose:run-batch');
  await testBed.workspace.until(() => kitchenMembers(testBed) === 0);
  const requests = testBed.requests.length;
  const answers = await pressAll(
    testBed,
    [plan, 'made-up', '../../plans', 'x'.repeat(1_000)].map((id) => [gus.id, 'run-batch', { plan: [id] }] as const),
  );
  for (const answer of answers) expect(answer).toMatch(gone);
  expect(testBed.requests.slice(requests).filter((line) => !line.startsWith('GET'))).toEqual([]);
});

test('what was entered for a campaign opens in a form for nobody but its maker', async () => {
  const testBed = await startApprovalsTestBed();
  const preview = await commandReply(testBed, tom.id, '/quiz-campaign start workplace for kitchen');
  const plan = idIn(preview, 'plan');
  expect(plan).not.toBe('');
  const answers = await pressAll(testBed, [
    [ada.id, 'form:start-campaign', JSON.stringify({ operation: 'start-campaign', raw: { plan: [plan] } })],
    [tom.id, 'form:start-campaign-2', JSON.stringify({ operation: 'start-campaign', raw: { plan: ['made-up'] } })],
    // As 1.7 posted it.
    [ada.id, 'change-plan', plan],
  ]);
  for (const answer of [...answers, ...(await pressAll(testBed, [[tom.id, 'change-plan', 'made-up']]))])
    expect(answer).toMatch(gone);
  expect(testBed.workspace.views(ada.id)).toEqual([]);
});

test('the command that a button stands for starts nothing', async () => {
  const testBed = await startApprovalsTestBed();
  const { plan } = await previewOf(testBed);
  const before = kitchenMembers(testBed);
  for (const line of [`run ${plan}`, `preview ${plan}`, 'run-batch x'])
    expect(textOf(await commandReply(testBed, ada.id, `/quiz-admin ${line}`))).not.toContain('Started');
  expect(kitchenMembers(testBed)).toBe(before);
});

test('what runs is paused, resumed, cancelled and read by nobody without a right to it', async () => {
  const testBed = await startApprovalsTestBed();
  const { workspace } = testBed;
  const { preview } = await previewOf(testBed);
  await workspace.as(gus.id).click(locationOf(preview), 'choose:run-batch');
  const progress = await workspace.until(() =>
    workspace.directMessages(gus.id).find((message) => idIn(message.blocks, 'batch') !== ''),
  );
  const batch = idIn(progress.blocks, 'batch');
  const operations = ['pause-batch', 'resume-batch', 'cancel-batch', 'batch-result', 'undo-batch'];
  const answers = await pressAll(
    testBed,
    operations.flatMap(
      (operation) =>
        [
          [uma.id, operation, { batch: [batch] }],
          [uma.id, operation, { batch: ['made-up'] }],
        ] as const,
    ),
  );
  for (const answer of answers)
    expect(answer).toMatch(
      /Only the person who started this change, and administrators, can do that|This change is no longer on record/,
    );
  expect(workspace.directMessages(uma.id).flatMap(({ files = [] }) => files)).toEqual([]);
  await workspace.until(() => kitchenMembers(testBed) === 0);
});

test('the result of an import has addresses, which only its maker reads, and administrators who manage users', async () => {
  const testBed = await startApprovalsTestBed();
  const { workspace } = testBed;
  inTheAccount(testBed).change('ada', 'manage_users = 0');
  const content = 'E-mail,First name,Last name\nkim.march@quiz.example,Kim,March\n';
  const uploads = manyChanges(testBed, uma.id);
  await uploads.startImport(await uploads.previewImport(content));
  const { lines } = await uploads.ended();
  expect(lineOf(lines, 'kim.march')).toContain('created');
  const batch = idIn((await uploads.progress(/Finished/)).blocks, 'batch');
  const whoAmI = async () => textOf(await commandReply(testBed, ada.id, '/quiz-admin whoami'));
  await expect.poll(whoAmI).not.toContain('manage users');
  const filesOf = (id: string) => workspace.directMessages(id).flatMap(({ files = [] }) => files);

  const [answer] = await pressAll(testBed, [[ada.id, 'batch-result', { batch: [batch] }]]);
  expect(answer).toContain('This result has e-mail addresses.');
  expect(filesOf(ada.id)).toEqual([]);
});
