import { describe, expect, test } from 'vitest';
import { botUserId, channels, people, teamId } from '../../src/sandbox/workspace/people.ts';
import { directMessagesId } from '../../src/sandbox/workspace/state.ts';
import { signingSecret } from '../support/open-test-bed.ts';
import { sendSigned } from '../support/other-programs.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { actionIdOf, commandReply, locationOf, safetyQuiz } from '../support/results.ts';
import { enterpriseOfProject, shareTestBed, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { systemClock } from '../../src/time/clock.ts';

const { ada, erin, uma, ravi, rosa, lena } = people;
const dayMs = 24 * 3_600_000;
const takeUrl = 'https://quiz.example/take/{quiz_id}';

/** A bed whose days can be let go by. */
async function startWithDays(env: Record<string, string> = {}) {
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const testBed = await startTestBed({
    clock: { ...systemClock, now },
    workspace: { now },
    quizService: { now },
    env: { ALERTS_CHANNEL: '', QUIZ_TAKE_URL: takeUrl, ...env },
  });
  return { testBed, letGoBy: (days: number) => void (offsetMs += days * dayMs) };
}

/** What the bot answers in its direct messages. */
async function answerTo({ workspace }: TestBed, personId: string, said: string) {
  const before = workspace.directMessages(personId).length;
  await workspace.as(personId).say(directMessagesId(personId), said);
  return workspace.until(() =>
    workspace
      .directMessages(personId)
      .slice(before)
      .find(({ user }) => user !== personId),
  );
}

/** What the bot answers to a mention, for the person alone. */
async function answerToMention({ workspace }: TestBed, personId: string, said: string) {
  const before = workspace.ephemerals(personId).length;
  await workspace.as(personId).say(channels.training.id, `<@${botUserId}> ${said}`);
  return workspace.until(() => workspace.ephemerals(personId)[before]);
}

/** What the person reads on Home, after `/quiz`, in direct messages and after a mention: in each of them what is shown. */
async function readEverywhere(testBed: TestBed, personId: string, shown: RegExp): Promise<string[]> {
  const { workspace } = testBed;
  await workspace.as(personId).openHome();
  // What an earlier Home waited for can come after this one.
  const home = await workspace.until(() => {
    const text = textOf(workspace.home(personId));
    return shown.test(text) ? text : undefined;
  });
  const answers = [
    await commandReply(testBed, personId, '/quiz'),
    await answerTo(testBed, personId, 'hello there'),
    await answerToMention(testBed, personId, 'hello there'),
  ].map(textOf);
  for (const answer of answers) expect(answer).toMatch(shown);
  return [home, ...answers];
}

/** Ada starts a campaign for Ravi and Rosa, due in three days, which Erin leads. */
async function startCampaign(testBed: TestBed): Promise<void> {
  const { workspace } = testBed;
  testBed.quizService.database.run('DELETE FROM responses');
  const line = '/quiz-campaign start workplace for @ravi, @rosa due in 3 days escalate 5d to @erin';
  const preview = await commandReply(testBed, ada.id, line);
  await workspace.as(ada.id).click(locationOf(preview), 'choose:run-campaign');
  await workspace.until(() =>
    workspace.ephemerals(ada.id).find(({ ts, text }) => ts === preview.ts && text.includes('Started a campaign')),
  );
}

describe('what needs a person', () => {
  test('is for a trainer who missed a due time, with a button that reminds them, and for these people the quiz', async () => {
    const { testBed, letGoBy } = await startWithDays();
    const { workspace } = testBed;
    await startCampaign(testBed);
    await readEverywhere(testBed, erin.id, /⏳ \*Workplace safety basics\* is due .*, 2 missing.*Extend/);

    letGoBy(4);
    await readEverywhere(testBed, erin.id, /⏰ 2 people missed \*Workplace safety basics\*.*Remind/);
    const due = /⏰ \*Workplace safety basics\* was due .*Take quiz.*https:\/\/quiz\.example\/take\//;
    for (const text of await readEverywhere(testBed, rosa.id, due)) expect(text).not.toMatch(/missed|Remind|Extend/);

    const home = await workspace.until(() => workspace.home(erin.id));
    await workspace.as(erin.id).click({ view: home }, 'ask:remind-campaign');
    await workspace.until(() => textOf(workspace.views(erin.id).at(-1)).includes('Scheduled reminders'));
    await workspace.until(() => textOf(workspace.home(erin.id)).includes('Reminders are scheduled.'));
  });

  test('is a request for those who may decide on it, with a button that opens it', async () => {
    const testBed = await startApprovalsTestBed();
    const { workspace } = testBed;
    await approvalActions(testBed).ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await readEverywhere(testBed, ada.id, new RegExp(`🙋 <@${uma.id}> asks to suspend \\*Rosa Almeida\\*.*Review`));
    const answer = await answerTo(testBed, ada.id, 'anything new?');
    const modal = await (await workspace.as(ada.id).click(locationOf(answer), 'modal:decide-request')).view();
    expect(textOf(modal)).toContain('asks to suspend *Rosa Almeida*');
    for (const { id } of [erin, rosa])
      for (const text of await readEverywhere(testBed, id, /needs you|is waiting for you/))
        expect(text).not.toContain('asks to suspend');
  });

  test('costs no request once the lists are known, for people who train or administrate', async () => {
    const { testBed } = await startWithDays();
    const { requests } = testBed;
    await startCampaign(testBed);
    for (const { id } of [erin, ada]) await readEverywhere(testBed, id, /2 missing/);
    const before = requests.filter((line) => !line.endsWith('/responses'));
    for (const personId of [erin.id, ada.id]) {
      await commandReply(testBed, personId, '/quiz');
      await answerTo(testBed, personId, 'hello there');
    }
    expect(requests.filter((line) => !line.endsWith('/responses'))).toEqual(before);
  });

  test('comes with examples of what the person may type', async () => {
    const testBed = await startTestBed();
    const [byRosa, byErin] = await Promise.all([rosa, erin].map(async ({ id }) => answerTo(testBed, id, 'what now')));
    expect(textOf(byRosa)).toMatch(
      /I understand messages like these: `\/quiz mine`, `\/quiz list`, `\/quiz-admin whoami`/,
    );
    expect(textOf(byErin)).toMatch(/`\/quiz missing [^`]+`, `\/quiz results [^`]+`, `\/quiz-campaign list`/);
  });

  test('is nothing for people without access, who read why', async () => {
    const testBed = await startTestBed();
    for (const text of await readEverywhere(testBed, lena.id, /Guests/)) expect(text).not.toContain('needs you');
  });

  test('is nothing of a campaign for its lead who may not see results any more', async () => {
    const { testBed, letGoBy } = await startWithDays();
    await startCampaign(testBed);
    expect(textOf(await answerTo(testBed, erin.id, 'hello there'))).toContain(safetyQuiz);
    testBed.quizService.database.run("UPDATE users SET edit_quizzes = 0 WHERE user_name = 'erin@quiz.example'");
    letGoBy(1);
    // Nobody has used the bot since, and on a day off it has nothing to do by itself: its list is of yesterday.
    expect(textOf(await commandReply(testBed, erin.id, '/quiz'))).toContain('nothing needs you right now');
    await readEverywhere(testBed, erin.id, /nothing needs you right now/);
    await readEverywhere(testBed, ada.id, /2 missing/);
  });
});

describe('a message to the bot', () => {
  const openBed = shareTestBed();

  test.each([
    ['/quiz close workplace', 'Press the button to close *Workplace safety basics*.'],
    ['`close workplace`', 'Press the button to close *Workplace safety basics*.'],
    ['who hasn’t done workplace', 'Workplace safety basics'],
    ['clsoe workplace', 'Did you mean `/quiz close workplace`?'],
    ['workplace safety', 'Did you mean `/quiz show workplace safety`?'],
    ['help', 'I run the quiz account from here.'],
    ['has rosa passed workplace?', 'results, only *rosa*'],
    ['how many people passed workplace', '16 submitted, 68.8% passed'],
    ['who is overdue in kitchen?', 'Kitchen'],
    ['the weather is lovely today', 'I don’t understand “the weather is lovely today”.'],
  ])('“%s” is a line, or nearly one', async (said, answer) => {
    expect(textOf(await answerTo(await openBed(), ada.id, said))).toContain(answer);
  });

  test('with a change is answered with a button, in any language, and changes nothing before it is pressed', async () => {
    const testBed = await startTestBed();
    const { workspace, requests } = testBed;
    const changes = () => requests.filter((line) => !line.startsWith('GET '));
    // Each line of a change, in each language: test/slack/in/messages.test.ts.
    for (const said of ['/quiz-user suspend rosa', 'schließe workplace']) await answerTo(testBed, ada.id, said);
    await answerToMention(testBed, ada.id, 'suspend rosa');
    expect(changes()).toEqual([]);

    const offer = await answerTo(testBed, ada.id, 'close workplace');
    await workspace.as(ada.id).click(locationOf(offer), 'choose:confirmed');
    await workspace.until(() => workspace.directMessages(ada.id).find((one) => textOf(one).includes('✅ Closed')));
    expect(changes()).toHaveLength(1);
    expect(textOf(await answerTo(testBed, ada.id, 'close workplace'))).toContain(
      'was closed already. Nothing changed.',
    );
  });

  test('that says that somebody has left is answered with what can be done, by name', async () => {
    const testBed = await startTestBed();
    const { workspace, requests } = testBed;
    const offer = await answerTo(testBed, ada.id, 'Ravi left the company');
    expect(textOf(offer)).toContain('Suspend Ravi Banerjee');
    expect(requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
    await workspace.as(ada.id).click(locationOf(offer), actionIdOf(offer, 'Suspend Ravi Banerjee'));
    await workspace.until(() => requests.some((line) => line.startsWith('PUT ') || line.startsWith('POST ')));
    expect(textOf(await answerTo(testBed, ada.id, 'Zarathustra left the company'))).toContain('I don’t understand');
  });

  test('that asks for something new opens its form, filled in', async () => {
    const testBed = await openBed();
    const offer = await answerTo(testBed, ada.id, 'create a new user for Kim Doe please');
    const form = await (
      await testBed.workspace.as(ada.id).click(locationOf(offer), actionIdOf(offer, 'Open form'))
    ).view();
    expect(form.callback_id).toBe('create-user');
    expect(textOf(form)).toContain('"initial_value":"Kim"');
    expect(textOf(form)).toContain('"initial_value":"Doe"');
  });

  test('of a person who needs approval asks for it once the button is pressed', async () => {
    const testBed = await startApprovalsTestBed();
    const { workspace } = testBed;
    const { requests } = approvalActions(testBed);
    const offer = await answerTo(testBed, uma.id, 'suspend rosa almeida --reason Left');
    expect(textOf(offer)).toContain('Press the button to suspend *Rosa Almeida*.');
    expect(requests()).toEqual([]);
    await workspace.as(uma.id).click(locationOf(offer), 'choose:confirmed');
    expect(textOf(await workspace.until(() => requests()[0]))).toContain('Left');
  });

  test('with a line in a mention is answered for the person alone, in the thread', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const first = await workspace.as(erin.id).say(channels.training.id, 'Shall we?');
    await workspace.as(erin.id).say(channels.training.id, `<@${botUserId}> results workplace`, { threadTs: first.ts });
    const answer = await workspace.until(() => workspace.ephemerals(erin.id, channels.training.id).at(-1));
    expect(textOf(answer)).toContain('Median');
    expect(answer.threadTs).toBe(first.ts);
    expect(workspace.messages(channels.training.id).filter(({ user }) => user === botUserId)).toEqual([]);
  });

  test('whose line needs more gets a button to the form, with every word in it', async () => {
    const testBed = await openBed();
    const { workspace } = testBed;
    const offer = await answerTo(testBed, ada.id, 'delete user ravi');
    expect(textOf(offer)).toContain('I need a bit more for `/quiz-user delete`.');
    const form = await (await workspace.as(ada.id).click(locationOf(offer), actionIdOf(offer, 'Open form'))).view();
    expect(form.callback_id).toBe('delete-user');
    expect(textOf(form)).toContain('Ravi Banerjee');
  });

  test('that Slack delivers a day late is not answered, and changes nothing', async () => {
    const testBed = await startTestBed();
    const { url, workspace, requests } = testBed;
    const deliver = async (sentMs: number, text: string) => {
      const channel = directMessagesId(ada.id);
      const ts = (sentMs / 1_000).toFixed(6);
      const event = { type: 'message', channel_type: 'im', channel, user: ada.id, text, ts };
      const now = Math.floor(Date.now() / 1_000);
      const authorizations = [
        { enterprise_id: null, team_id: teamId, user_id: botUserId, is_bot: true, is_enterprise_install: false },
      ];
      const { id: enterprise_id = null } = enterpriseOfProject() ?? {};
      const body = {
        type: 'event_callback',
        event_id: `Ev${ts}`,
        event_time: now,
        api_app_id: 'A1',
        team_id: teamId,
        enterprise_id,
        authorizations,
        event,
      };
      await sendSigned(url, JSON.stringify(body), now, signingSecret, 'application/json');
    };
    await answerTo(testBed, ada.id, 'hello');
    await deliver(Date.now() - dayMs, 'close workplace');
    await deliver(Date.now(), 'show workplace');
    const answers = () => workspace.directMessages(ada.id).filter(({ user }) => user !== ada.id);
    expect(textOf(await workspace.until(() => answers()[1]))).toContain('Workplace safety basics');
    expect(answers()).toHaveLength(2);
    expect(requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
  });

  test('that starts with the mention of the bot in direct messages is answered once', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    await answerTo(testBed, ravi.id, `<@${botUserId}> hello`);
    await answerTo(testBed, ravi.id, 'mine');
    expect(workspace.directMessages(ravi.id).filter(({ user }) => user !== ravi.id)).toHaveLength(2);
  });
});
