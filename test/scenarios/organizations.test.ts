import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { people, teamId, teamName, channels } from '../../src/sandbox/workspace/people.ts';
import { enterpriseOfProject, shareTestBed, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { approvalActions, decisionForm, leadsChannelId, startApprovalsTestBed } from '../support/approvals.ts';
import { signingSecret } from '../support/open-test-bed.ts';
import { sendSigned, startOtherSlack } from '../support/other-programs.ts';
import { eventually } from '../support/watchdog.ts';

describe('an organization', () => {
  const second = { id: 'T0SECOND', name: 'Second workspace' };
  const enterprise = {
    id: 'E0OWN',
    name: 'Quiz Example',
    isInstalledForAll: true,
    workspaces: [{ id: teamId, name: teamName }, second],
  };

  test('an installation for a whole organization serves the people of all its workspaces, and nobody else', async () => {
    const { workspace, lines } = await startTestBed({ workspace: { enterprise } });
    workspace.setPerson({ ...people.erin, teamId: second.id, enterpriseId: enterprise.id });
    const erin = workspace.as(people.erin.id);
    const view = await (await erin.shortcut('close-quiz')).view();
    const [quiz] = (await erin.options(view, 'quiz', '')).options ?? [];
    const { view: end } = await erin.submit(view, { quiz: [quiz!] });
    expect(textOf(end)).toContain('Closed *');

    const ivo = await workspace.as(people.ivo.id).command('/quiz list', { channel: workspace.channels.partners.id });
    expect(textOf(await ivo.reply())).toContain('You’re from another workspace');
    expect(lines.join('')).not.toContain('"operation":"enter"');
  });

  test('a quiz is assigned to the people of a user group, whichever workspace of the organization has it', async () => {
    const { workspace, requests } = await startTestBed({ workspace: { enterprise } });
    const night = { handle: 'night', name: 'Night shift', members: [people.rosa.id, people.ravi.id] };
    workspace.setUserGroup({ id: 'S0NIGHT', ...night, teamId: second.id });
    const ada = workspace.as(people.ada.id);
    const question = await (await ada.command('/quiz assign workplace to @night')).reply();
    expect(textOf(question)).toContain('*@night* has 2 people.');
    const asked = workspace.calls.filter(({ method }) => method === 'usergroups.users.list');
    expect(asked.map(({ args, ok }) => [args['team_id'], ok])).toEqual([
      [teamId, false],
      [second.id, true],
    ]);
    await ada.click(question, 'choose:confirmed');
    await expect.poll(() => requests.filter((request) => !request.startsWith('GET')).length).toBe(2);
  });

  test('a person who was deactivated a moment ago changes nothing', async () => {
    const { workspace, requests } = await startTestBed();
    const erin = workspace.as(people.erin.id);
    await (await erin.command('/quiz list')).reply();
    workspace.setPerson({ ...people.erin, isGuest: true });
    const reply = await (await erin.command('/quiz close fire')).reply();
    expect(textOf(reply)).toContain('Guests of this workspace');
    expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });
});

describe('another organization', () => {
  const { ada, ivo, tom, uma, zoe } = people;
  const ownEnterprise = 'E0OWN';

  /** Where a payload claims to come from. */
  interface Origin {
    team: { id: string; domain: string; enterprise_id?: string } | null;
    enterprise: { id: string; name: string } | null;
    isEnterpriseInstall: boolean;
    personTeam: string | undefined;
  }

  const partner = { id: ivo.teamId, domain: 'partner', enterprise_id: ivo.enterpriseId };
  const own = { id: teamId, domain: 'sandbox' };
  const ownOrganization = { id: ownEnterprise, name: 'Quiz Example' };

  const origins: [string, Origin][] = [
    [
      'that tells the truth',
      {
        team: partner,
        enterprise: { id: ivo.enterpriseId, name: 'Partner' },
        isEnterpriseInstall: false,
        personTeam: ivo.teamId,
      },
    ],
    ['with the bot’s team', { team: own, enterprise: null, isEnterpriseInstall: false, personTeam: ivo.teamId }],
    [
      'with the bot’s team for the person too',
      { team: own, enterprise: null, isEnterpriseInstall: false, personTeam: teamId },
    ],
    ['without a team', { team: null, enterprise: null, isEnterpriseInstall: false, personTeam: undefined }],
    [
      'without a team, of an installation for an organization',
      { team: null, enterprise: null, isEnterpriseInstall: true, personTeam: ivo.teamId },
    ],
    [
      'with the bot’s organization',
      { team: partner, enterprise: ownOrganization, isEnterpriseInstall: true, personTeam: ivo.teamId },
    ],
    [
      'with the bot’s organization and no team',
      { team: null, enterprise: ownOrganization, isEnterpriseInstall: true, personTeam: teamId },
    ],
    [
      'with the bot’s organization inside the team',
      {
        team: { ...own, enterprise_id: ownEnterprise },
        enterprise: null,
        isEnterpriseInstall: true,
        personTeam: teamId,
      },
    ],
  ];

  interface Aims {
    responseUrl: string;
    quizId: string;
    userId: string;
    openRequest: string;
    closedRequest: string;
  }

  const operationValue = (operation: string, raw: Record<string, string[]>) => JSON.stringify({ operation, raw });

  /** Every payload that Slack delivers, each aimed at something that exists. */
  function payloads({
    responseUrl,
    quizId,
    userId,
    openRequest,
    closedRequest,
  }: Aims): { command?: string; payload?: object; event?: object }[] {
    const commands = [
      '/quiz list',
      `/quiz show ${quizId}`,
      `/quiz close ${quizId}`,
      '/quiz help',
      '/quiz mine',
      '/quiz delete',
      `/quiz-user show ${userId}`,
      `/quiz-user suspend ${userId}`,
      '/quiz-admin approvals',
      '/quiz-admin audit',
      '/quiz-admin status',
      '/quiz-alerts list',
    ];
    const click = (action_id: string, value: string, where: object = {}) => ({
      payload: {
        type: 'block_actions',
        actions: [{ type: 'button', action_id, block_id: 'b', value, action_ts: '1.1' }],
        container: { type: 'message', message_ts: '1.1', channel_id: 'C0PARTNERS', is_ephemeral: false },
        channel: { id: 'C0PARTNERS', name: 'partners' },
        response_url: responseUrl,
        trigger_id: 'forged',
        ...where,
      },
    });
    const submit = (callback_id: string, private_metadata: string, values: object) => ({
      payload: {
        type: 'view_submission',
        view: { id: 'V1', type: 'modal', callback_id, private_metadata, state: { values } },
      },
    });
    const decision = { comment: { value: { type: 'plain_text_input', value: 'x' } } };
    const chosenQuiz = {
      quiz: {
        value: { type: 'external_select', selected_option: { text: { type: 'plain_text', text: 'x' }, value: quizId } },
      },
    };
    return [
      ...commands.map((command) => ({ command })),
      click('choose:close', operationValue('close-quiz', { quiz: [quizId] })),
      click('ask:close', operationValue('close-quiz', { quiz: [quizId] })),
      click('form:close', operationValue('close-quiz', { quiz: [quizId] })),
      click('ask:who', operationValue('show-user', { user: [userId] })),
      click('show-password', userId),
      ...[openRequest, closedRequest].flatMap((id) => [
        ...['approve-request', 'deny-request', 'review-request', 'withdraw-request'].map((action) => click(action, id)),
        ...['approved', 'denied'].flatMap((verdict) => {
          return [
            click('modal:decide-request', operationValue('decide-request', { request: [id], verdict: [verdict] })),
            submit('decide-request', decisionForm(id, verdict), decision),
          ];
        }),
        click('ask:withdraw-request', operationValue('withdraw-request', { request: [id] })),
        submit('withdraw-request', JSON.stringify({ before: { request: [id] } }), decision),
      ]),
      submit('close-quiz', '', chosenQuiz),
      { payload: { type: 'shortcut', callback_id: 'close-quiz', trigger_id: 'forged', action_ts: '1.1' } },
      {
        payload: {
          type: 'message_action',
          callback_id: 'find-in-quiz',
          trigger_id: 'forged',
          action_ts: '1.1',
          message_ts: '1.1',
          response_url: responseUrl,
          channel: { id: 'C0PARTNERS', name: 'partners' },
          message: { type: 'message', user: ada.id, ts: '1.1' },
        },
      },
      ...['', 'fi', 'ro'].flatMap((value) =>
        ['quiz', 'user'].map((field) => ({
          payload: {
            type: 'block_suggestion',
            action_id: 'value',
            block_id: field,
            value,
            view: {
              id: 'V1',
              type: 'modal',
              callback_id: field === 'quiz' ? 'close-quiz' : 'suspend-user',
              private_metadata: '',
            },
          },
        })),
      ),
      { event: { type: 'app_home_opened', user: ivo.id, channel: 'D1', tab: 'home', event_ts: '1.1' } },
    ];
  }

  async function deliver(
    { url }: TestBed,
    what: ReturnType<typeof payloads>[number],
    { team, enterprise, isEnterpriseInstall, personTeam }: Origin,
    responseUrl: string,
  ): Promise<string> {
    const timestamp = Math.floor(Date.now() / 1000);
    if (what.event) {
      const body = {
        type: 'event_callback',
        event_id: `Ev${randomUUID()}`,
        event_time: timestamp,
        api_app_id: 'A1',
        ...(team && { team_id: team.id }),
        ...(enterprise && { enterprise_id: enterprise.id }),
        is_enterprise_install: isEnterpriseInstall,
        authorizations: [
          {
            enterprise_id: enterprise?.id ?? null,
            team_id: team?.id ?? null,
            user_id: 'U1',
            is_bot: true,
            is_enterprise_install: isEnterpriseInstall,
          },
        ],
        event: what.event,
      };
      return (await sendSigned(url, JSON.stringify(body), timestamp, signingSecret, 'application/json')).text();
    }
    const [command = '', ...words] = (what.command ?? '').split(' ');
    const fields: Record<string, string> = what.payload
      ? {
          payload: JSON.stringify({
            ...what.payload,
            team,
            enterprise,
            is_enterprise_install: isEnterpriseInstall,
            user: { id: ivo.id, name: 'ivo', ...(personTeam && { team_id: personTeam }) },
          }),
        }
      : {
          command,
          text: words.join(' '),
          user_id: ivo.id,
          user_name: 'ivo',
          channel_id: 'C0PARTNERS',
          trigger_id: 'forged',
          response_url: responseUrl,
          ...(team && { team_id: team.id }),
          ...(enterprise && { enterprise_id: enterprise.id }),
          is_enterprise_install: String(isEnterpriseInstall),
        };
    return (await sendSigned(url, new URLSearchParams(fields).toString(), timestamp, signingSecret)).text();
  }

  describe.each([
    ['a bot of one workspace', undefined],
    ['a bot of an organization', { id: ownEnterprise, name: 'Quiz Example', isInstalledForAll: true }],
  ] as const)('a person of a foreign organization with an administrator’s address, at %s', (_, enterprise) => {
    const openBed = shareTestBed({
      env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id, LOG_LEVEL: 'debug' },
      ...(enterprise
        ? { workspace: { enterprise, strictness: { rateLimits: false } } }
        : { installation: 'workspace' as const }),
    });
    let prepared: ReturnType<typeof prepare> | undefined;

    /** Two requests for approval, one of which was denied. */
    async function prepare(testBed: TestBed) {
      const { ask, deny, messageWith } = approvalActions(testBed);
      const open = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
      const closed = await ask(uma.id, '/quiz-user suspend ravi banerjee --reason Left');
      await deny(tom.id, closed, 'Ravi stays');
      await messageWith(closed, 'denied:');
      return { testBed, open, closed };
    }

    test.each(origins)('does nothing and sees nothing with any payload %s', async (__, origin) => {
      const { testBed, open, closed } = await (prepared ??= openBed().then(prepare));
      const { workspace, quizService, requests, lines } = testBed;
      const idOf = ({ metadata }: typeof open) => String(metadata?.event_payload['request_id']);
      const other = await startOtherSlack();
      const quizzes = quizService.database.all<{ quiz_id: string; name: string }>('SELECT quiz_id, name FROM quizzes');
      const users = quizService.database.all<{ user_id: string; user_name: string; last_name: string }>(
        'SELECT user_id, user_name, last_name FROM users',
      );
      const aims = {
        responseUrl: `${other.url}/respond`,
        quizId: quizzes[0]!.quiz_id,
        userId: users.at(-1)!.user_id,
        openRequest: idOf(open),
        closedRequest: idOf(closed),
      };
      const [sentBefore, callsBefore] = [requests.length, workspace.calls.length];
      const dealtWith = () => lines.filter((line) => line.includes('dealt with what Slack delivered')).length;
      const dealtWithBefore = dealtWith();

      const forged = payloads(aims);
      const answers: string[] = [];
      for (const what of forged) answers.push(await deliver(testBed, what, origin, aims.responseUrl));
      await eventually(() => expect(dealtWith()).toBe(dealtWithBefore + forged.length));

      expect(requests.slice(sentBefore).filter((request) => !request.startsWith('GET'))).toEqual([]);
      expect(workspace.messages(open.channel).find(({ ts }) => ts === open.ts)).toEqual(open);
      const posted = workspace.calls
        .slice(callsBefore)
        .filter(({ method }) => method !== 'users.info')
        .map(({ args }) => args);
      const seen = JSON.stringify([answers, other.seen, posted]);
      const secrets = [
        ...quizzes.map(({ name }) => name),
        ...users.flatMap((user) => [user.user_name, user.last_name]),
        'Ravi stays',
      ].filter((text) => text.length > 3);
      expect(secrets.filter((text) => seen.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
    });
  });

  test('a person of another company with an administrator’s address gets no requests for approval', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    workspace.setPerson({ ...ada, email: 'ada.okafor@quiz.example' });
    await (await workspace.as(uma.id).command('/quiz-user suspend rosa almeida --reason Left')).reply();
    await approvalActions(testBed).directMessageWith(uma.id, 'There’s no other administrator in Slack');
    expect(workspace.directMessages(ivo.id)).toEqual([]);
  });

  test('how a request ended is shown to nobody who could not have decided on it', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, deny, messageWith } = approvalActions(testBed);
    const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await deny(ada.id, request, 'She stays');
    await messageWith(request, 'denied:');
    const metadata = {
      type: 'view_submission',
      view: {
        id: 'V1',
        type: 'modal',
        callback_id: 'decide-request',
        private_metadata: decisionForm(String(request.metadata?.event_payload['request_id']), 'approved'),
        state: { values: {} },
      },
    };
    const origin: Origin = { team: own, enterprise: null, isEnterpriseInstall: false, personTeam: teamId };
    const enterprise = enterpriseOfProject();
    const payload = JSON.stringify({
      ...metadata,
      team: origin.team,
      enterprise,
      user: { id: zoe.id, team_id: teamId },
    });
    const answer = await (
      await sendSigned(
        testBed.url,
        new URLSearchParams({ payload }).toString(),
        Math.floor(Date.now() / 1000),
        signingSecret,
      )
    ).text();
    expect(answer).toContain('Nobody in the quiz account has your Slack e-mail address');
    expect(answer).not.toContain('She stays');
  });
});

describe('shared channels', () => {
  const { erin } = people;
  const { partners, results, training } = channels;
  const question = `<#${partners.id}> is shared with *Partner Training*`;

  describe('a channel that another company shares', () => {
    test('is subscribed only after a question that names the company', async () => {
      const { workspace } = await startTestBed();
      const actor = workspace.as(erin.id);
      const named = await (await actor.command('/quiz-alerts subscribe #partners all')).reply();
      expect(textOf(named)).toContain(question);
      const reply = await (await actor.command('/quiz-alerts subscribe fire', { channel: partners.id })).reply();
      expect(textOf(reply)).toContain(question);
      expect(reply.onlyFor).toBe(erin.id);
      expect(workspace.messages(partners.id)).toEqual([]);
      await actor.click(reply, 'choose:confirmed');
      await workspace.until(() => workspace.messages(partners.id).length > 0);
    });

    test('later, pauses its subscriptions until their owner, who gets a message, resumes them', async () => {
      const { workspace } = await startTestBed();
      const actor = workspace.as(erin.id);
      await (await actor.command('/quiz-alerts subscribe fire', { channel: training.id })).reply();
      const told = (words: string) =>
        workspace.until(() => workspace.directMessages(erin.id).find((message) => textOf(message).includes(words)));
      workspace.setChannel(training.id, { sharedWith: [{ id: 'T0PARTNER', name: 'Partner Training' }] });
      const note = await told('are paused: another company can read the channel now');
      expect(textOf(note)).toContain('Stop sharing it, or let everyone in it see the results. Then press *Resume*.');
      await actor.openHome();
      await workspace.until(() => textOf(workspace.home(erin.id)).includes('now, so its alerts are paused'));
      const { channel, ts } = note;
      await (await actor.click({ channel, ts }, 'ask:resume-alerts')).reply();
      const list = await (await actor.command('/quiz-alerts list', { channel: training.id })).reply();
      expect(textOf(list)).not.toContain('paused');
    });

    test('is neither offered nor filled in by the form', async () => {
      const { workspace } = await startTestBed();
      const actor = workspace.as(erin.id);
      const elsewhere = await (await actor.command('/quiz-alerts subscribe', { channel: results.id })).view();
      expect(JSON.stringify(elsewhere.blocks)).toContain(`"initial_conversation":"${results.id}"`);
      const view = await (await actor.command('/quiz-alerts subscribe', { channel: partners.id })).view();
      expect(JSON.stringify(view.blocks)).not.toContain(partners.id);
      await expect(actor.fill(view, { channel: partners.id })).rejects.toThrow('does not offer partners');
    });

    test.each([
      ['cannot be named', 'team.info', 'is shared with *another company*'],
      ['cannot be looked up', 'conversations.info', 'Partner Training'],
    ])('says as much of the sharing as Slack says: %s', async (_, method, words) => {
      const { workspace, lines } = await startTestBed();
      workspace.faults.inject({ kind: 'api-error', error: 'missing_scope' }, { method });
      const reply = await (
        await workspace.as(erin.id).command('/quiz-alerts subscribe all', { channel: partners.id })
      ).reply();
      expect(textOf(reply).includes(words)).toBe(method === 'team.info');
      expect(lines.join('')).toContain('missing_scope');
    });
  });
});
