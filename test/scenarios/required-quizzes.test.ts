import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { storyStores } from '../support/many-changes.ts';
import { actionIdOf, quizId, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';
import { actingText, untilEnded, withSteps } from '../support/workflow-steps.ts';

const { ada, erin, tom, ravi, nora, rosa, hana, katarzyna } = people;
const mondayMorning = Date.UTC(2030, 0, 7, 11);

test.each(storyStores)(
  'over %s, a quiz is required by a step and a command, in one campaign, until a pass that everyone sees of their own',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning, { ...withSteps.workspace, env: withSteps.env });
    const { testBed, workspace, account, reply, press, answer, clock, report } = bed;
    const acts_as = await actingText(testBed, ada.id, 'require_quiz');
    // It comes beside the answers to commands.
    await bed.directMessage(ada.id, 'setting up a workflow');
    const inputs = { acts_as, quiz: quizId(testBed, safetyQuiz), within: 14, valid: '12 months' };
    const require = async (person: string) =>
      untilEnded(testBed, await workspace.functions.run('require_quiz', { ...inputs, person }));

    const first = await require(rosa.id);
    expect(first).toMatchObject({
      state: 'completed',
      outputs: {
        message: expect.stringContaining(`Started a campaign for “${safetyQuiz}” with 1 person.`),
        campaign: expect.stringMatching(/^Workplace safety basics, running since 7 Jan 2030/),
      },
    });
    expect(new Date(Number(first.outputs?.['due_at']) * 1_000).toISOString()).toMatch(/^2030-01-21/);

    const second = await require(ravi.id);
    expect(second.outputs).toMatchObject({
      message: expect.stringContaining(`Added “Ravi Banerjee” to the campaign for “${safetyQuiz}”.`),
      campaign: first.outputs?.['campaign'],
      due_at: first.outputs?.['due_at'],
    });
    expect((await require(ravi.id)).outputs).toMatchObject({
      message: expect.stringContaining('already'),
      due_at: first.outputs?.['due_at'],
    });

    account.setStatus(safetyQuiz, 'closed');
    expect(await require(nora.id)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/closed.* so nothing was changed/),
    });
    account.setStatus(safetyQuiz, 'open');
    expect(textOf(await reply(ada.id, '/quiz-campaign require workplace for @rosa within 7d'))).toContain(
      `*Rosa Almeida* is in the ongoing campaign for *${safetyQuiz}* already.`,
    );
    const offered = await reply(ada.id, '/quiz-campaign require workplace for @nora within 7d');
    expect(textOf(offered)).toContain('They would have it due 14 days after joining.');
    await press(ada.id, offered, 'Add');
    await answer(ada.id, `Added *Nora Fields* to the campaign for *${safetyQuiz}*.`);
    expect(textOf(await reply(ada.id, '/quiz-campaign list'))).toContain('*1 campaign*');

    const home = async (personId: string, words: RegExp) => {
      await workspace.as(personId).openHome();
      return workspace.until(() => {
        const text = textOf(workspace.home(personId));
        return words.test(text) ? text : undefined;
      });
    };
    await home(rosa.id, /Workplace safety basics\* is due /);
    expect(textOf(await reply(rosa.id, '/quiz mine'))).toMatch(/Workplace safety basics\*[^"]* · due <!date/);
    await home(ada.id, /Your campaigns: 1.*Workplace safety basics\* · 0 of 3 valid/);

    account.pass('rosa', safetyQuiz, clock.now());
    await report(ada.id, 'workplace');
    const shown = await home(ada.id, /· 1 of 3 valid · next to renew /);
    expect(shown).toContain('show-campaign');
    const valid = /✅ passed[^"]* · valid until [^"]*7 Jan 2031[^"]*, renew from [^"]*9 Dec 2030/;
    // What the service says of a respondent is at most a minute old on Home.
    await clock.skip(60_000);
    await home(rosa.id, valid);
    expect(textOf(await reply(rosa.id, '/quiz mine'))).toMatch(valid);
    for (const text of [await home(ravi.id, /is due /), textOf(await reply(ravi.id, '/quiz mine'))])
      expect(text).not.toMatch(/valid|renew|Rosa|Your campaigns/);
    const tab = workspace.home(ada.id)!;
    await workspace.as(ada.id).click({ view: tab }, actionIdOf(tab, 'View'));
    await workspace.until(() => workspace.views(ada.id).find((view) => textOf(view).includes('Nora Fields')));
  },
);

test.each(storyStores)(
  'over %s, steps at once for which no campaign stands start one, and so do their requests that are approved',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning, {
      ...withSteps.workspace,
      env: { ...withSteps.env, APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
    });
    const { testBed, workspace, reply, report, clock, written } = bed;
    const { requests, approve } = approvalActions(testBed);
    const stepsAtOnce = async (owner: string, quiz: string, names: readonly string[]) => {
      const acts_as = await actingText(testBed, owner, 'require_quiz');
      await bed.directMessage(owner, 'setting up a workflow');
      const inputs = { acts_as, quiz: quizId(testBed, quiz), within: 14, valid: '12 months' };
      return Promise.all(names.map((person) => workspace.functions.run('require_quiz', { ...inputs, person })));
    };
    const five = [rosa, ravi, nora, hana, katarzyna];

    const begun = await stepsAtOnce(
      ada.id,
      safetyQuiz,
      five.map(({ id }) => id),
    );
    const ended = await Promise.all(begun.map((step) => untilEnded(testBed, step)));
    expect(ended.map(({ state, error }) => error ?? state)).toEqual(five.map(() => 'completed'));
    expect(new Set(ended.map(({ outputs }) => outputs?.['campaign'])).size).toBe(1);
    expect(textOf(await reply(ada.id, '/quiz-campaign list'))).toContain('*1 campaign*');
    expect((await report(ada.id, 'workplace')).size).toBe(five.length);

    // The requests of a minute are used up.
    await clock.skip(60_000);
    // Erin trains none of them.
    const asked = await stepsAtOnce(erin.id, 'Food hygiene, level 2', [rosa.id, ravi.id]);
    await workspace.until(() => requests().length === 2);
    await Promise.all(requests().map((request, index) => approve([ada.id, tom.id][index]!, request)));
    const approved = await Promise.all(asked.map((step) => untilEnded(testBed, step)));
    expect(approved.map(({ state, error }) => error ?? state)).toEqual(['completed', 'completed']);
    expect(textOf(await reply(ada.id, '/quiz-campaign list'))).toContain('*2 campaigns*');
    await clock.skip(24 * 3_600_000);
    const asksIn = (personId: string) => written(personId).filter((line) => line.includes('asks you to take'));
    expect([rosa.id, ravi.id, nora.id].map((personId) => asksIn(personId).length)).toEqual([2, 2, 1]);
  },
);
