import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { postButtons, pressAll } from '../support/forged-buttons.ts';
import { commandReply, quizId, safetyQuiz } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { storyStores } from '../support/many-changes.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';

describe('messages of campaigns', () => {
  const { ravi, tom } = people;
  const tuesdayMorning = Date.parse('2026-12-01T10:00:00Z');

  /** A campaign for Ravi with a board in a channel, on a clock that begins on a working day. */
  async function startCampaign(): Promise<TestBed> {
    const aheadMs = tuesdayMorning - Date.now();
    const now = () => Date.now() + aheadMs;
    const testBed = await startTestBed({ now, workspace: { now }, quizService: { now }, hasQuizLinks: true });
    const { workspace } = testBed;
    // Everyone starts anew.
    testBed.quizService.database.run('DELETE FROM responses WHERE quiz_id = ?', [quizId(testBed, safetyQuiz)]);
    const preview = await commandReply(
      testBed,
      tom.id,
      `/quiz-campaign start workplace for @ravi due in 2 weeks board <#${workspace.channels.results.id}>`,
    );
    await (await workspace.as(tom.id).click(preview, 'choose:run-campaign')).reply();
    return testBed;
  }

  const directMessage = ({ workspace }: TestBed, personId: string, words: string) =>
    workspace.until(() => workspace.directMessages(personId).find((message) => textOf(message).includes(words)));
  const channelMessage = ({ workspace }: TestBed, words: string) =>
    workspace.until(() =>
      workspace.messages(workspace.channels.results.id).find((message) => textOf(message).includes(words)),
    );
  describe('a member of a campaign', () => {
    test('is asked to take the quiz, and the board follows their submission', async () => {
      const testBed = await startCampaign();
      const message = await directMessage(testBed, ravi.id, 'asks you to take');
      expect(textOf(message)).toContain(`<@${tom.id}> asks you to take *${safetyQuiz}* by <!date^`);
      expect(textOf(message)).toMatch(/Take quiz.*Not me/);
      const shown = await channelMessage(testBed, 'Ravi Banerjee');
      const userId = testBed.quizService.database.all<{ user_id: string }>(
        'SELECT user_id FROM users WHERE user_name = ?',
        [ravi.email],
      )[0]?.user_id;
      await sendEvent(
        testBed.url,
        eventBody(
          { event_id: 'e-1' },
          {
            quiz_id: quizId(testBed, safetyQuiz),
            quiz_name: safetyQuiz,
            response_id: 'r-1',
            user_id: userId,
            user_name: ravi.email,
            email_address: ravi.email,
            pass: true,
            date_submitted: '2026-12-01 10:05:00',
          },
        ),
      );
      const after = await channelMessage(testBed, '1 of 1 submitted (100%)');
      expect([after.ts, textOf(after).includes('Ravi Banerjee')]).toEqual([shown.ts, false]);
      expect(textOf(await channelMessage(testBed, 'is over. '))).toContain('is over. Everyone submitted it: 1 person.');
    });

    test('says that the quiz isn’t for them, which the owner reads', async () => {
      const testBed = await startCampaign();
      const message = await directMessage(testBed, ravi.id, 'Not me');
      await testBed.workspace.as(ravi.id).click(message, 'row:not-me');
      expect(textOf(await directMessage(testBed, ravi.id, 'isn’t for you'))).not.toContain('Take quiz');
      expect(textOf(await directMessage(testBed, tom.id, 'isn’t for them'))).toContain('*Ravi Banerjee* says');
      expect(textOf(await channelMessage(testBed, 'Say it isn’t for them'))).toContain('Ravi Banerjee');
    });

    test('answers by the buttons of messages that 1.7 posted', async () => {
      const testBed = await startCampaign();
      const message = await directMessage(testBed, ravi.id, 'Not me');
      const [, campaignId = ''] = /"campaigns\\*":\[\\*"([^"\\]+)/.exec(JSON.stringify(message.blocks)) ?? [];
      const campaigns = JSON.stringify([campaignId]);
      const report = JSON.stringify({ userId: 'u-1', campaignIds: [campaignId] });
      const { workspace } = testBed;
      const { location } = await postButtons(testBed, [
        [ravi.id, 'campaign:not-me', campaigns],
        [ravi.id, 'campaign:for-me', campaigns],
        [ravi.id, 'campaign:snooze', campaigns],
        [ravi.id, 'direct-messages:off', 'x'],
        [ravi.id, 'direct-messages:on', 'x'],
      ]);
      const press = async (actionId: string) => {
        await workspace.as(ravi.id).click(location, actionId);
        return workspace.until(() =>
          workspace
            .messages(location.channel)
            .filter(({ ts }) => ts === location.ts)
            .map(textOf)
            .find((text) => !text.includes(`"${actionId}"`)),
        );
      };
      expect(await press('campaign:not-me')).toContain(`You said that *${safetyQuiz}* isn’t for you`);
      expect(await press('campaign:for-me')).toContain('It’s for you again');
      expect(await press('campaign:snooze')).toContain('You’ll be reminded again');
      expect(await press('direct-messages:off')).toMatch(/Turn messages on.*You won’t get messages/s);
      expect(await press('direct-messages:on')).toMatch(/Stop these messages.*You’ll get a message/s);
      for (const actionId of ['reports:not-mine', 'reports:undo'])
        expect(await pressAll(testBed, [[ravi.id, actionId, report]])).toEqual([
          expect.stringContaining('They aren’t on'),
        ]);
    });
  });
});

describe('messages that are off', () => {
  const { ada, ravi } = people;
  const hourMs = 60 * 60_000;
  const mondayEarly = Date.UTC(2030, 0, 7, 8);

  /** An hour passes, to the beginning of working hours. */
  test.each(storyStores)(
    'over %s, a person who turned messages off gets those of a campaign, unless it lets people stop them',
    async (store) => {
      const { clock, workspace, reply, start } = await openSkippedCampaigns(store, mondayEarly);

      await workspace.as(ravi.id).openHome();
      const home = await workspace.until(() => workspace.home(ravi.id));
      await workspace.as(ravi.id).click({ view: home }, 'button:turn-messages');
      const turned = await workspace.until(() =>
        [workspace.home(ravi.id)].find((view) => textOf(view).includes('Turn messages on')),
      );
      expect(textOf(turned)).toContain('Campaigns still write to you');

      const line = '"Workplace safety" for @ravi due 2030-01-18';
      expect(textOf(await reply(ada.id, `/quiz-campaign start ${line}`))).not.toContain('No message reaches');
      await start(ada.id, line);
      await clock.skip(2 * hourMs);

      const message = await workspace.until(() => workspace.directMessages(ravi.id)[0]);
      expect(textOf(message)).toContain('asks you to take *Workplace safety basics*');
      expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).not.toContain('not reached');
      expect(workspace.directMessages(ravi.id)).toHaveLength(1);
    },
  );
});
