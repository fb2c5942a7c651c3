import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId, startApprovalsTestBed } from '../support/approvals.ts';
import { changesIn, environmentOf, inTheAccount, manyChanges, storyStores } from '../support/many-changes.ts';
import { commandReply, quizId } from '../support/results.ts';
import { textOf, type TestBed } from '../support/test-bed.ts';
import { runStep, startStepsTestBed, untilEnded } from '../support/workflow-steps.ts';

const { ada, erin, ravi, rosa, tom } = people;
const quiz = 'Data protection refresher';

/** A bot over an account in which nobody has a quiz or an attempt. */
async function startOver(store: string, env: Record<string, string> = {}, now = Date.now): Promise<TestBed> {
  const common = { ALERTS_CHANNEL: '', ...(await environmentOf(store)) };
  const testBed = await startApprovalsTestBed({ env: { ...common, ...env }, now, workspace: { now } });
  inTheAccount(testBed).forgetAttempts();
  return testBed;
}

const campaigns = async (testBed: TestBed, personId = ada.id) =>
  textOf(await commandReply(testBed, personId, '/quiz-campaign list'));

const assignmentTo = (testBed: TestBed, name: string) =>
  `POST /api/v1/users/${inTheAccount(testBed).userId(name)}/quizzes quiz_id=${quizId(testBed, quiz)}`;

describe.each(storyStores)('over %s, people whom the person doesn’t train', (store) => {
  /** Tom trains the kitchen, and a campaign of his for one of its members runs. */
  async function startCampaign(): Promise<TestBed> {
    const testBed = await startOver(store, { OWNERS: '' });
    inTheAccount(testBed).train('tom', { groups: ['Kitchen'] });
    const preview = await commandReply(
      testBed,
      tom.id,
      `/quiz-campaign start "${quiz}" for Chiara Lombardi due in 2 weeks`,
    );
    expect(await manyChanges(testBed, tom.id).start(preview)).toContain('Started a campaign');
    await expect.poll(() => changesIn(testBed)).toHaveLength(1);
    expect(changesIn(testBed)).toEqual([assignmentTo(testBed, 'chiara')]);
    return testBed;
  }

  test('are added to a running campaign when another person approves it, as a campaign for them is started', async () => {
    const testBed = await startCampaign();
    const { ask, approve } = approvalActions(testBed);
    const start = await commandReply(
      testBed,
      tom.id,
      '/quiz-campaign start workplace for Ravi Banerjee, Rosa Almeida due in 2 weeks',
    );
    expect(textOf(start)).toMatch(/Request approval/);
    expect(
      textOf(await commandReply(testBed, tom.id, `/quiz-campaign add Ravi Banerjee, Rosa Almeida to "${quiz}"`)),
    ).toMatch(/needs approval/i);
    expect(changesIn(testBed)).toHaveLength(1);

    const request = await ask(
      tom.id,
      `/quiz-campaign add Ravi Banerjee, Rosa Almeida to "${quiz}" --reason "The audit is near"`,
    );
    expect(textOf(request)).toContain('The audit is near');
    expect(textOf(request)).toContain(quiz);
    expect(changesIn(testBed)).toHaveLength(1);
    expect(await campaigns(testBed)).toMatch(/of 1 submitted|1 person/);

    await approve(ada.id, request);
    const added = ['ravi', 'rosa'].map((name) => assignmentTo(testBed, name));
    await expect.poll(() => changesIn(testBed)).toHaveLength(3);
    expect(changesIn(testBed).slice(1).toSorted()).toEqual(added.toSorted());
  });

  test('are not added where the campaign is over by then, and who decides reads that it is', async () => {
    const testBed = await startCampaign();
    const { ask, review } = approvalActions(testBed);
    const request = await ask(tom.id, `/quiz-campaign add Rosa Almeida, Ravi Banerjee to "${quiz}" --reason "Audit"`);
    const asked = await testBed.workspace.as(ada.id).command(`/quiz-campaign end "${quiz}"`);
    const { channel, ts } = await asked.reply();
    await testBed.workspace.as(ada.id).click({ channel, ts }, 'choose:confirmed');
    await expect.poll(() => campaigns(testBed)).toContain('ended <!date');
    expect(textOf(await review(ada.id, request))).toMatch(
      /The campaign for .* is over. This request can only be denied/,
    );
  });

  test('need no approval where an administrator adds them, nor do people whom the trainer trains', async () => {
    const testBed = await startCampaign();
    await commandReply(testBed, tom.id, `/quiz-campaign add Rosa Almeida to "${quiz}"`);
    await commandReply(testBed, ada.id, `/quiz-campaign add Ravi Banerjee to "${quiz}"`);
    await expect.poll(() => changesIn(testBed)).toHaveLength(3);
    expect(changesIn(testBed).slice(1)).toEqual([assignmentTo(testBed, 'rosa'), assignmentTo(testBed, 'ravi')]);
    expect(approvalActions(testBed).requests()).toEqual([]);
  });
});

describe.each(storyStores)('over %s, a campaign whose quiz is closed', (store) => {
  test('warns the person who adds people to it, and a request to add them is not approved', async () => {
    const testBed = await startOver(store);
    const { ask, review } = approvalActions(testBed);
    const preview = await commandReply(testBed, ada.id, `/quiz-campaign start "${quiz}" for Chiara Lombardi`);
    await manyChanges(testBed, ada.id).start(preview);
    await expect.poll(() => changesIn(testBed)).toHaveLength(1);
    const request = await ask(erin.id, `/quiz-campaign add Ravi Banerjee to "${quiz}" --reason "The audit is near"`);
    inTheAccount(testBed).setStatus(quiz, 'closed');

    const answer = await commandReply(testBed, ada.id, `/quiz-campaign add Rosa Almeida to "${quiz}"`);
    expect(textOf(answer)).toContain('is closed, so nobody can take it until it’s open');
    expect(textOf(await review(tom.id, request))).toContain('This request can only be denied');
    expect(changesIn(testBed)).toHaveLength(1);
  });
});

describe.each(storyStores)('over %s, a request to start a campaign', (store) => {
  /** Erin, who trains nobody, asks for a campaign for four people. */
  async function askForCampaign(due = 'in 2 weeks', now = Date.now): Promise<{ testBed: TestBed; request: Message }> {
    const testBed = await startOver(store, {}, now);
    const { workspace } = testBed;
    const preview = await commandReply(
      testBed,
      erin.id,
      `/quiz-campaign start "${quiz}" for @ravi, @rosa, Chiara Lombardi, Gabriel Nunes due ${due}`,
    );
    const { channel, ts } = preview;
    const opened = await (await workspace.as(erin.id).click({ channel, ts }, 'form:run-campaign')).view();
    const form = await workspace.until(() =>
      workspace
        .views(erin.id)
        .find((view) => view.id === opened.id && !textOf(view).includes('Asking the quiz service')),
    );
    expect((await workspace.as(erin.id).submit(form, { reason: 'The audit is near' })).errors).toBeUndefined();
    return { testBed, request: await workspace.until(() => approvalActions(testBed).requests()[0]) };
  }

  test('shows the reviewer who was suspended, deleted or passed since, and is approved for the others, with who is left out and why', async () => {
    const { testBed, request } = await askForCampaign();
    const { change, remove, pass } = inTheAccount(testBed);
    change('ravi', 'suspended = 1');
    remove('gabriel');
    pass('chiara', quiz);

    const { review, decide } = approvalActions(testBed);
    const reviewed = await review(ada.id, request);
    const view = textOf(reviewed);
    expect(view).toMatch(/Ravi Banerjee\*?[^"]{0,40}suspended/);
    expect(view).toMatch(/Gabriel Nunes\*?[^"]{0,60}(?:deleted|isn’t in the quiz account|no longer)/);
    expect(view).toMatch(/Chiara Lombardi\*?[^"]{0,40}passed/);
    expect(view).not.toMatch(/Rosa Almeida\*?[^"]{0,40}(?:suspended|deleted|passed|no longer)/);
    expect(changesIn(testBed)).toEqual([]);

    const answer = await decide(ada.id, reviewed);
    expect(answer).toMatch(/Started a campaign for .* with 1 person/);
    expect(answer).toMatch(/Left out since the preview: 3\..*Ravi Banerjee\W* is suspended now/);
    expect(answer).toMatch(/Gabriel Nunes\W* isn’t in the quiz account any more/);
    expect(answer).toMatch(/Chiara Lombardi\W* has (passed|submitted) it meanwhile/);
    await expect.poll(() => changesIn(testBed)).toEqual([assignmentTo(testBed, 'rosa')]);
    expect(await campaigns(testBed)).toMatch(/0 of 1/);
  });

  /** Nothing was started, and the request waits for another decision. */
  async function expectNotStarted(testBed: TestBed, request: Message): Promise<void> {
    const { deny, messageWith, directMessageWith } = approvalActions(testBed);
    expect(changesIn(testBed)).toEqual([]);
    expect(await campaigns(testBed)).toContain('There are no campaigns');
    for (const view of testBed.workspace.views(ada.id).toReversed()) await testBed.workspace.as(ada.id).close(view);
    await deny(ada.id, request, 'Later');
    expect(await messageWith(request, 'Later')).toMatch(/denied/i);
    expect(await directMessageWith(erin.id, 'Later')).toMatch(/denied/i);
    expect(await campaigns(testBed)).toContain('There are no campaigns');
  }

  test('is not approved while its quiz is closed, says why, and can be denied', async () => {
    const { testBed, request } = await askForCampaign();
    inTheAccount(testBed).setStatus(quiz, 'closed');

    const view = await approvalActions(testBed).review(ada.id, request);
    expect(textOf(view)).toContain('Required to deny');
    expect(textOf(view)).toMatch(/closed.*This request can only be denied/);
    await expectNotStarted(testBed, request);
  });

  test('is not approved after its due time, and says who can choose another one', async () => {
    let aheadMs = 0;
    const { testBed, request } = await askForCampaign('in 1 hour', () => Date.now() + aheadMs);
    aheadMs = 2 * 3_600_000;
    expect(textOf(await approvalActions(testBed).review(ada.id, request))).toContain(
      'is over. The requester can choose a later one. This request can only be denied.',
    );
  });

  test('is not carried out where the requester cannot see the quiz any more', async () => {
    const { testBed, request } = await askForCampaign();
    const { review, decide } = approvalActions(testBed);
    const view = await review(ada.id, request);
    inTheAccount(testBed).train('erin', { quizzes: ['Forklift theory test'] });
    expect(await decide(ada.id, view)).toContain('The requester no longer has the rights for this');
    expect(changesIn(testBed)).toEqual([]);
    expect(await campaigns(testBed)).toContain('There are no campaigns');
  });

  test('is not approved where its quiz was closed while the reviewer read it', async () => {
    const { testBed, request } = await askForCampaign();
    const { review, decide } = approvalActions(testBed);
    const view = await review(ada.id, request);
    inTheAccount(testBed).setStatus(quiz, 'closed');

    const last = await decide(ada.id, view);
    expect(last).not.toContain('Started a campaign');
    expect(last).toMatch(/closed/i);
    await expectNotStarted(testBed, request);
  });
});

describe.each(storyStores)('over %s, a step of a workflow', (store) => {
  test('that starts a campaign on a closed quiz ends with an error, as one that assigns the quiz', async () => {
    const testBed = await startStepsTestBed({
      env: { APPROVALS_CHANNEL: leadsChannelId, ...(await environmentOf(store)) },
    });
    const { forgetAttempts, setStatus } = inTheAccount(testBed);
    forgetAttempts();
    setStatus(quiz, 'closed');
    const inputs = { quiz: quizId(testBed, quiz), person: rosa.id };
    const assigned = await untilEnded(testBed, await runStep(testBed, ada.id, 'assign_quiz', inputs));
    expect(assigned).toMatchObject({ state: 'failed', error: expect.stringMatching(/closed/) });

    const started = await untilEnded(
      testBed,
      await runStep(testBed, ada.id, 'start_campaign', { ...inputs, due: 'in 2 weeks' }),
    );
    expect(started).toMatchObject({ state: 'failed', error: expect.stringMatching(/closed/) });
    expect(await campaigns(testBed)).toContain('There are no campaigns');
    expect(changesIn(testBed)).toEqual([]);
    for (const person of [rosa, ravi]) expect(testBed.workspace.directMessages(person.id)).toEqual([]);
  });
});
