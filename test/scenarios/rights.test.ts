import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { actionIdOf, locationOf, submit } from '../support/results.ts';
import { textOf, startTestBed, type TestBed } from '../support/test-bed.ts';
import { agentWith, withAgents } from '../support/agents.ts';

const { ada, erin, tom, uma, zoe } = people;
const administrator = { user_type: 'administrator', manage_users: 'true' };
const deletion = '/quiz delete workplace safety --reason Replaced';

function typeOf({ quizService }: TestBed, name: string): unknown {
  const user = quizService.database.get<{ user_type: string }>('SELECT user_type FROM users WHERE user_name = ?', [
    `${name}@quiz.example`,
  ]);
  return user?.user_type;
}

/** Leaves these users as the only administrators. */
function setAdministrators({ quizService }: TestBed, ...names: string[]): void {
  quizService.database.run("UPDATE users SET user_type = 'trainer' WHERE user_type = 'administrator'");
  for (const name of names)
    quizService.database.run("UPDATE users SET user_type = 'administrator', manage_users = 1 WHERE user_name = ?", [
      `${name}@quiz.example`,
    ]);
}

describe('making an administrator', () => {
  test('needs approval where another administrator is there, and the reviewer reads what it means', async () => {
    const testBed = await startApprovalsTestBed({ env: { OWNERS: '' } });
    setAdministrators(testBed, 'ada', 'tom');
    const { requests, review, decide } = approvalActions(testBed);
    await submit(testBed, ada.id, '/quiz-user update erin castellanos', {
      ...administrator,
      reason: 'Head of training',
    });
    expect(typeOf(testBed, 'erin')).toBe('trainer');
    const view = await review(tom.id, await testBed.workspace.until(() => requests()[0]));
    expect(textOf(view)).toContain('They could decide on what other people request');
    await decide(tom.id, view);
    expect(typeOf(testBed, 'erin')).toBe('administrator');
    await submit(testBed, ada.id, '/quiz-user create ann@quiz.example', {
      user_type: 'administrator',
      reason: 'Head of safety',
    });
    expect(typeOf(testBed, 'ann')).toBeUndefined();
    expect(textOf(await testBed.workspace.until(() => requests()[1]))).toContain('as an administrator');
  });
});

describe('a person whom the requester gave the right to decide', () => {
  test('does not decide on their requests, nor does a person to whom that one gave it', async () => {
    const testBed = await startApprovalsTestBed({ env: { OWNERS: '' } });
    setAdministrators(testBed, 'ada');
    await submit(testBed, ada.id, '/quiz-user update erin castellanos', administrator);
    const { ask, refusal, approve, requests } = approvalActions(testBed);
    const request = await ask(ada.id, deletion);
    expect(textOf(await refusal(erin.id, request))).toContain(
      'got rights through the requester within the last 30 days',
    );
    expect(textOf(await refusal(erin.id, request, 'denied'))).toContain(
      'got rights through the requester within the last 30 days',
    );

    await submit(testBed, erin.id, '/quiz-user update uma', {
      ...administrator,
      edit_quizzes: 'true',
      reason: 'Help',
    });
    await approve(ada.id, await testBed.workspace.until(() => requests()[1]));
    expect(typeOf(testBed, 'uma')).toBe('administrator');
    expect(textOf(await refusal(uma.id, request))).toContain(
      'got rights through the requester within the last 30 days',
    );
    expect(
      testBed.quizService.database.get("SELECT 1 FROM quizzes WHERE name = 'Workplace safety basics'"),
    ).toBeDefined();
  });
});

describe('narrower rights', () => {
  test('RIGHTS narrows what everyone can do, by command and agent, and whoami says so', async () => {
    const testBed = await startTestBed({
      env: {
        ...withAgents,
        OWNERS: ada.id,
        RIGHTS: 'close-quiz:nobody,list-quizzes:administrators,rename-quiz:approval,set-channel-language:approval',
      },
    });
    const reply = async (personId: string, line: string) =>
      textOf(await (await testBed.workspace.as(personId).command(line)).reply());
    const [token = ''] = /inv_[\w-]+/.exec(await reply(erin.id, '/quiz-admin token editor')) ?? [];
    expect(await reply(ada.id, '/quiz close workplace')).toContain('nobody can do this from here');
    expect(await reply(erin.id, '/quiz list')).toContain('only administrators can do this');
    expect(await reply(ada.id, '/quiz list')).toContain('Workplace safety');
    expect(await reply(erin.id, '/quiz-admin whoami')).toContain('close-quiz (nobody)');

    const agent = await agentWith(testBed, token);
    expect((await agent.listTools()).tools.map(({ name }) => name)).not.toContain('list-quizzes');
    const closed = await agent.callTool({ name: 'close-quiz', arguments: { quiz: 'workplace' } });
    expect(JSON.stringify(closed)).toContain('nobody can do this from here');
    const renamed = await testBed.workspace.as(erin.id).command('/quiz rename workplace to Safety --reason Shorter');
    expect(textOf(await renamed.reply())).toContain('Approval requested');
    const { workspace } = testBed;
    await workspace.as(erin.id).command('/quiz-alerts language german --reason Team');
    const asked = await workspace.until(() =>
      workspace.directMessages(erin.id).find((message) => textOf(message).includes('in German')),
    );
    expect(textOf(asked)).toContain(`<#${workspace.channels.results.id}>`);
    expect(textOf(asked)).not.toContain('channel C0');
    expect(testBed.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });
});

describe('subscriptions that need approval', () => {
  const limited = { RIGHTS: 'subscribe-channel:approval,pause-alerts:approval' };

  test('belong to who asked for them, who reads the digest on their own clock, and not to who approved', async () => {
    const testBed = await startApprovalsTestBed({ env: limited });
    const { workspace } = testBed;
    workspace.setPerson({ ...erin, timeZone: 'Europe/Warsaw' });
    const { requests, approve } = approvalActions(testBed);
    const channel = channels.training.id;
    await workspace
      .as(erin.id)
      .command('/quiz-alerts subscribe workplace digest daily 08:30 --reason Team', { channel });
    await approve(tom.id, await workspace.until(() => requests()[0]));
    const greeting = textOf(workspace.messages(channel).at(-1));
    expect(greeting).toContain(`<@${erin.id}> subscribed this channel`);
    expect(greeting).toContain('a daily digest at 08:30 (Warsaw time)');
  });

  test('are paused by who asked for it: the one that was meant in the channel, though the form knows no channel', async () => {
    const testBed = await startApprovalsTestBed({ env: limited });
    const { workspace } = testBed;
    const { requests, approve } = approvalActions(testBed);
    const [channel, elsewhere] = [channels.training.id, channels.results.id];
    const subscribe = async (personId: string, quiz: string, where: string) => {
      const before = requests().length;
      await workspace.as(personId).command(`/quiz-alerts subscribe ${quiz} --reason Team`, { channel: where });
      await approve(ada.id, await workspace.until(() => requests()[before]));
    };
    await subscribe(erin.id, 'forklift', elsewhere);
    await subscribe(tom.id, 'workplace', channel);
    const answer = await (await workspace.as(erin.id).command('/quiz-alerts pause for 2h', { channel })).reply();
    const outcome = await workspace.as(erin.id).click(locationOf(answer), actionIdOf(answer, 'Give a reason'));
    const form = await outcome.view();
    expect(textOf(form)).toMatch(/Workplace safety basics.*One message per submission/);
    await workspace.as(erin.id).submit(form, { reason: 'Audit week' });
    const request = await workspace.until(() => requests()[2]);
    expect(textOf(request)).toContain('pause alerts for *Workplace safety basics*');
    await approve(ada.id, request);
    const list = await (await workspace.as(erin.id).command('/quiz-alerts list', { channel })).reply();
    expect(textOf(list)).toContain(`paused by <@${erin.id}> until`);
  });
});

describe('an unknown person', () => {
  test('a member whom the quiz account does not know costs one request and one entry on the record, however often they come', async () => {
    const { workspace, requests } = await startTestBed({ quizService: { sample: 'empty' }, env: { OWNERS: ada.id } });
    const reply = async (personId: string, line: string) =>
      textOf(await (await workspace.as(personId).command(line)).reply());
    for (let n = 0; n < 20; n += 1) {
      expect(await reply(erin.id, '/quiz help')).toContain('quiz account');
      expect(await reply(erin.id, '/quiz list')).toContain('quiz account');
    }
    expect(requests.filter((request) => request.includes('/users/find'))).toHaveLength(1);
    expect(requests.length).toBeLessThan(10);
    expect(await reply(ada.id, '/quiz-admin audit verify')).toContain('The audit trail is complete: 1 entry');
    expect(await reply(ada.id, '/quiz list')).not.toContain('a lot in a short time');
  });
});

describe('users who must not be locked out', () => {
  const isAdministrator = "user_type = 'administrator', manage_users = 1";

  function user({ quizService }: TestBed, name: string) {
    return quizService.database.get<Record<string, unknown>>('SELECT * FROM users WHERE user_name = ?', [
      `${name}@quiz.example`,
    ]);
  }

  /** Changes a user as somebody does in the quiz service itself. */
  function change({ quizService }: TestBed, name: string, changes: string): void {
    quizService.database.run(`UPDATE users SET ${changes} WHERE user_name = ?`, [`${name}@quiz.example`]);
  }

  async function replyTo({ workspace }: TestBed, personId: string, line: string): Promise<string> {
    return textOf(await (await workspace.as(personId).command(line)).reply());
  }

  describe('an administrator', () => {
    test('who is the last is not deleted with an owner’s approval, and can be while another owner is a user', async () => {
      const testBed = await startApprovalsTestBed({ env: { OWNERS: `${zoe.id},${tom.id}` } });
      setAdministrators(testBed, 'ada');
      const { ask, review, decide, approve } = approvalActions(testBed);
      const request = await ask(tom.id, '/quiz-user delete ada okafor --reason Left');
      change(testBed, 'tom', 'suspended = 1');
      const view = await review(zoe.id, request);
      expect(await decide(zoe.id, view)).toContain('is the last active administrator');
      expect(user(testBed, 'ada')).toBeDefined();
      change(testBed, 'tom', 'suspended = 0');
      expect(await approve(zoe.id, request)).toContain('Deleted the user *');
    });
  });

  describe('an address that somebody has', () => {
    test('becomes nobody else’s, and only people who see that user read who has it', async () => {
      const testBed = await startTestBed();
      const named = 'Rosa Almeida” already uses “Rosa@quiz.example”';
      expect(
        await submit(testBed, ada.id, '/quiz-user create ines@quiz.example', { email_address: 'Rosa@quiz.example' }),
      ).toContain(named);
      expect(await submit(testBed, ada.id, '/quiz-user create Rosa@quiz.example', { first_name: 'Ines' })).toContain(
        named,
      );
      expect(
        await submit(testBed, ada.id, '/quiz-user update ravi banerjee', { email_address: 'Rosa@quiz.example' }),
      ).toContain(named);
      const unnamed = await submit(testBed, uma.id, '/quiz-user create ines', { email_address: 'ada@quiz.example' });
      expect(unnamed).toContain('Another user of the quiz account already uses “ada@quiz.example”');
      expect(unnamed).not.toContain('Okafor');
      expect(
        await submit(testBed, ada.id, '/quiz-user update rosa almeida', { email_address: 'Rosa@quiz.example' }),
      ).toContain('Changed the e-mail address of *Rosa Almeida*.');
      expect(testBed.quizService.database.get("SELECT 1 FROM users WHERE user_name LIKE 'ines%'")).toBeUndefined();
    });

    test('is found where the user got it a moment ago in the quiz service itself', async () => {
      const testBed = await startTestBed();
      await replyTo(testBed, uma.id, '/quiz list');
      change(testBed, 'rosa', "email_address = 'new@quiz.example'");
      expect(await submit(testBed, uma.id, '/quiz-user create new@quiz.example', { first_name: 'New' })).toContain(
        'already uses “new@quiz.example”',
      );
    });
  });

  test('an administrator asks for approval of a new one, whom the bot knew as an administrator a moment ago', async () => {
    const testBed = await startApprovalsTestBed();
    change(testBed, 'rosa', isAdministrator);
    const form = await (await testBed.workspace.as(ada.id).command('/quiz-user update rosa almeida')).view();
    change(testBed, 'rosa', "user_type = 'respondent', manage_users = 0");
    const { errors, view } = await testBed.workspace.as(ada.id).submit(form, { user_type: 'administrator' });
    expect(errors ? JSON.stringify(errors) : textOf(view)).toContain('needs approval');
    expect(user(testBed, 'rosa')).toMatchObject({ user_type: 'respondent' });
  });
});
