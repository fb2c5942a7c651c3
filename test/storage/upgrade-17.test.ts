import { expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { agentWith } from '../support/agents.ts';
import { leadsChannelId, decisionOn } from '../support/approvals.ts';
import { lifeOf17, messageOf17, openLifeOf17 } from '../support/life-of-17.ts';
import { inTheAccount } from '../support/many-changes.ts';
import { leftToCi } from '../support/drawn.ts';
import { redisMissing } from '../support/redis.ts';
import { locationOf, safetyQuiz } from '../support/results.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, nora, ravi } = people;
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const [results, training] = [channels.results.id, channels.training.id];

test.skipIf(leftToCi).each<'sqlite' | 'redis'>(redisMissing === null ? ['sqlite', 'redis'] : ['sqlite'])(
  'over %s, what 1.7 had begun goes on, once',
  async (store) => {
    const bed = await openLifeOf17(store);
    const { workspace, quizService, clock, bots } = bed;
    const account = inTheAccount(bed);
    const created = (pattern: string) =>
      quizService.database.all('SELECT user_id FROM users WHERE user_name LIKE ?', [pattern]).length;
    const reply = async (who: string, line: string, channel?: string) =>
      (await workspace.as(who).command(line, channel === undefined ? {} : { channel })).reply();
    /** How many messages say this. */
    const inChannel = (channel: string, words: string | RegExp) =>
      workspace.messages(channel).filter((message) => textOf(message).match(words)).length;
    const toPerson = (who: string, words: string | RegExp) =>
      workspace.directMessages(who).filter((message) => textOf(message).match(words)).length;
    const once = (count: () => number) => workspace.until(() => count() === 1, 60_000);

    // A batch, half done, and a hint that the service had not confirmed.
    await clock.skip(2 * minuteMs);
    await workspace.until(() => created('new%') === 6, 60_000);
    await once(() => toPerson(ada.id, '6 of 6 created'));
    await once(() => inChannel(results, 'Gus Hartmann'));

    // The preview of an import.
    const form = await (await workspace.as(ada.id).command('/quiz-user import')).view();
    expect(textOf(form)).toMatch(/Create 2 users from \*new\.csv\*.*not started/s);
    await workspace.as(ada.id).click({ view: form }, 'choose:reopen-preview');
    const preview = await workspace.until(() =>
      workspace.views(ada.id).find((view) => textOf(view).includes('Nothing has changed yet')),
    );
    await workspace.as(ada.id).click({ view: preview }, 'choose:run-batch');
    await workspace.until(() => created('%ines@%') === 1, 60_000);

    // Subscriptions, with what waited for them.
    await reply(tom.id, '/quiz-alerts resume "Forklift theory test"', training);
    await once(() => inChannel(training, 'Ravi Banerjee hat Forklift theory test bestanden'));
    // What Tom resumed may be announced in between.
    const asked = await workspace.as(ada.id).command('/quiz-alerts list', { channel: results });
    const listed = await workspace.until(() =>
      asked.replies.map(textOf).find((text) => /Workplace safety basics.*one message per submission/.test(text)),
    );
    expect(listed).toMatch(/Data protection refresher.*failed only, one thread per quiz per day/);
    await clock.skip(1.5 * hourMs);
    await once(() => inChannel(training, 'Tägliche Zusammenfassung: Food hygiene, level 2, 1 Abgabe'));

    // A token, requests for approval, and steps of workflows: one waits for an approval, and one for a result.
    const agent = await agentWith({ url: bots[0]!.url }, lifeOf17.token);
    expect((await agent.listTools()).tools.length).toBeGreaterThan(10);
    await agent.close();
    const runs = lifeOf17.runs;
    const state = (run: string) => workspace.functions.executions.get(run)?.state;
    for (const outcome of ['Deleted the user', 'Assigned']) {
      const list = await reply(tom.id, '/quiz-admin approvals');
      const { block_id: block } = list.blocks?.find(({ type }) => type === 'actions') ?? {};
      await workspace.as(tom.id).click(locationOf(list), { block, action: 'question:decide-request' });
      const view = await workspace.until(() =>
        workspace.views(tom.id).find((open) => textOf(open).includes('comment')),
      );
      expect((await workspace.as(tom.id).submit(view, decisionOn(view))).errors).toBeUndefined();
      await workspace.until(() =>
        workspace.ephemerals(tom.id).some((shown) => shown.ts === list.ts && textOf(shown).includes(outcome)),
      );
    }
    await workspace.until(() => state(runs.asking) === 'completed');
    expect(state(runs.waiting)).toBe('running');
    account.pass('nora', safetyQuiz, clock.now());
    await clock.skip(dayMs);
    await workspace.until(() => state(runs.waiting) === 'completed');
    expect(workspace.functions.executions.get(runs.waiting)?.outputs).toMatchObject({ result: 'passed' });

    // What a version up to 1.6 started with “repeat yearly” stands: a round that runs, and one that is over by one that begins.
    const campaigns = textOf(await reply(ada.id, '/quiz-campaign list'));
    expect(campaigns).toMatch(/\*Forklift theory test\* · 1 of 2 valid · running since/);
    expect(campaigns).toMatch(/\*First aid at work\* · 1 of 1 valid · running since/);
    expect(campaigns).toMatch(/🏁 \*First aid at work\* · 1 of 1 passed/);
    for (const quiz of ['forklift', 'first aid'])
      expect(textOf(await reply(ada.id, `/quiz-campaign show ${quiz}`))).toMatch(/Until 18 Jan, .*12 days before/);

    // Campaigns: boards are the same messages, and nobody is asked twice.
    await clock.skip(21 * dayMs);
    await once(() => inChannel(training, 'Workplace safety basics: 3 von 3 gültig'));
    await once(() => inChannel(training, 'Forklift theory test: 1 von 2 gültig'));
    expect(inChannel(training, messageOf17)).toBe(0);
    await once(() => toPerson(nora.id, 'You passed \\*Workplace safety basics'));
    expect(toPerson(nora.id, 'take \\*Workplace safety basics')).toBe(0);
    await once(() => toPerson(ravi.id, 'Food hygiene, level 2\\* is due again'));
    expect(toPerson(tom.id, '1 person still has to take \\*Forklift theory test')).toBeGreaterThan(0);
    // Evidence is not sent by itself any more, and who left Slack is proposed once.
    expect(workspace.directMessages(tom.id).flatMap(({ files = [] }) => files)).toEqual([]);
    expect(workspace.messages(leadsChannelId)).toHaveLength(lifeOf17.messagesOfLeads);
  },
);
